#include "tests/cases/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/cases/case_text.hpp"

namespace rankine::cases {
namespace {

void redirect(const std::filesystem::path& file, int descriptor) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(opened, descriptor);
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const std::string& interrupt_when) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out", err = folder.path() / "err";
  std::vector<std::string> words{RANKINE_PROGRAM_FILE};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  if (!interrupt_when.empty()) {
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (read_text(err).find(interrupt_when) != std::string::npos) {
        ::kill(child, SIGINT);
        ::waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } else {
    ::waitpid(child, &status, 0);
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out),
          read_text(err)};
}

}  // namespace rankine::cases
