#include "cases/output/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
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

std::optional<std::string> read_own_file(const std::filesystem::path& file, std::size_t most) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const auto close = [](const int* open) { ::close(*open); };
  const std::unique_ptr<const int, decltype(close)> closed_at_the_end(&descriptor, close);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid())
    return std::nullopt;
  std::string bytes(std::min(static_cast<std::size_t>(status.st_size), most), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t read = ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return std::nullopt;
    if (read == 0) break;
    done += static_cast<std::size_t>(read);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace rankine::cases
