#include "tests/support/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace rankine::testing {
namespace {

void redirect(const std::filesystem::path& file, int descriptor) {
  if (file == "-") {
    ::close(descriptor);
    return;
  }
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(opened, descriptor);
  ::close(opened);
}

void limit(decltype(RLIMIT_FSIZE) resource, rlim_t most) {
  const rlimit both{.rlim_cur = most, .rlim_max = most};
  if (most != RLIM_INFINITY) ::setrlimit(resource, &both);
}

std::string from_environment(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const Surroundings& around) {
  const TemporaryFolder folder;
  std::filesystem::path out = folder.path() / "out", err = folder.path() / "err";
  if (!around.out.empty()) out = around.out;
  if (!around.err.empty()) err = around.err;
  std::vector<std::string> words{from_environment("RANKINE_PROGRAM", RANKINE_PROGRAM_FILE)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    limit(RLIMIT_FSIZE, around.file_size);
    limit(RLIMIT_AS, around.memory);
    limit(RLIMIT_NOFILE, around.open_files);
    if (around.ordinary_user && ::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
      ::_exit(126);
    limit(RLIMIT_NPROC, around.processes);
    if (around.signal != 0) std::signal(around.signal, SIG_DFL);  // ignored by background jobs
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  pid_t ended = 0;
  while (around.signal != 0 && ended == 0 &&
         read_text(err).find(around.when) == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = ::waitpid(child, &status, WNOHANG);
  }
  if (around.signal != 0 && ended == 0) {
    std::this_thread::sleep_for(around.delay);
    ::kill(child, around.signal);
  }
  if (ended == 0) ::waitpid(child, &status, 0);
  const auto text = [](const std::filesystem::path& file) {
    return std::filesystem::is_regular_file(file) ? read_text(file) : std::string{};
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(out), text(err)};
}

nlohmann::json solve(const std::vector<std::string>& arguments, int exit_code) {
  const Outcome outcome = run_program(with(with({"solve"}, arguments), {"--json", "-"}));
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  return nlohmann::json::parse(outcome.out, nullptr, false);
}

std::string example(const std::string& name) {
  return from_environment("RANKINE_SOURCE_DIR", RANKINE_SOURCE_FOLDER) + "/cases/" + name;
}

std::vector<std::string> set(std::vector<std::string> first,
                             const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) first.insert(first.end(), {"--set", setting});
  return first;
}

std::vector<std::string> small_sphere(int panels, const std::string& results) {
  return set({example("sphere/sphere.toml"), "--output", results},
             {"mesh.panels=" + std::to_string(panels),
              "verify.max_error={potential_l2=1.0, velocity_l2=1.0}", "output.probe=[]"});
}

std::vector<std::string> with(std::vector<std::string> first,
                              const std::vector<std::string>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

}  // namespace rankine::testing
