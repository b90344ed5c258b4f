#include "cases/output/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "cases/output/printable.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

void print(std::string_view given) {
  const std::string text = printable(given);
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (whole && std::fflush(stdout) == 0) return;
  const int error = errno;
  if (error == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw InputError(fmt::format("the result cannot be written to standard output: {}",
                               std::generic_category().message(error)));
}

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void require_open_files() {
  constexpr rlim_t least = 32;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= least) return;
  throw DeviceError(
      fmt::format("this process may open {} files only, fewer than the {} that readers and writers "
                  "of meshes need; raise the limit (ulimit -n 256)",
                  limit.rlim_cur, least));
}

}  // namespace rankine::cases
