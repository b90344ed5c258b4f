// What a user meets before the program runs: the scripts, and a program for another processor.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

/// Exit code and what was said, on either stream, of a shell command.
std::pair<int, std::string> run_shell(const std::string& command) {
  std::string said;
  std::FILE* pipe = ::popen(("(" + command + ") 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe))
    said.append(part.data(), got);
  return {WEXITSTATUS(::pclose(pipe)), said};
}

const std::string scripts = std::string(RANKINE_SOURCE_FOLDER) + "/scripts";

TEST(Scripts, AnswerHelp) {
  for (const std::string script : {"run.sh", "test.sh"}) {
    for (const std::string option : {"--help", "-h"}) {
      const auto [code, said] = run_shell(scripts + "/" + script + " " + option);
      EXPECT_EQ(code, 0) << said;
      EXPECT_TRUE(says(said, "scripts/" + script));
      EXPECT_FALSE(says(said, "==")) << "it set to work: ";
    }
  }
  const auto [code, said] = run_shell(scripts + "/run.sh --halp");
  EXPECT_NE(code, 0);
  EXPECT_TRUE(says(said, "--halp"));
  EXPECT_TRUE(says(said, "--help"));
}

TEST(Scripts, SeeThatABuildFolderWasMoved) {
  const TemporaryFolder folder;
  const std::string ask = "bash -c '. " + scripts + "/common.sh; moved_from \"" +
                          folder.path().string() + "\" || echo in its place'";
  EXPECT_EQ(run_shell(ask).second, "in its place\n") << "there is nothing yet";
  folder.write("CMakeCache.txt",
               "CMAKE_CACHEFILE_DIR:INTERNAL=/elsewhere/build/cpu\n"
               "CMAKE_HOME_DIRECTORY:INTERNAL=" RANKINE_SOURCE_FOLDER "\n");
  EXPECT_EQ(run_shell(ask).second, "/elsewhere/build/cpu\n");
  folder.write("CMakeCache.txt", "CMAKE_CACHEFILE_DIR:INTERNAL=" + folder.path().string() +
                                     "\nCMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n");
  EXPECT_EQ(run_shell(ask).second, "/elsewhere\n");
  folder.write("CMakeCache.txt", "CMAKE_CACHEFILE_DIR:INTERNAL=" + folder.path().string() +
                                     "\nCMAKE_HOME_DIRECTORY:INTERNAL=" RANKINE_SOURCE_FOLDER "\n");
  EXPECT_EQ(run_shell(ask).second, "in its place\n");
}

TEST(Scripts, BuildCudaCodeOnlyWithAGpuOrOnRequest) {
  const TemporaryFolder folder;
  const auto preset = [&](const std::string& option) {
    return run_shell("PATH=" + folder.path().string() + ":/usr/bin:/bin bash -c '. " + scripts +
                     "/common.sh; choose_preset \"" + option + "\"; echo $preset'")
        .second;
  };
  const auto add_program = [&](const std::string& name, const std::string& line) {
    const std::filesystem::path file = folder.write(name, "#!/bin/sh\n" + line + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  };
  add_program("nvcc", "exit 0");
  add_program("nvidia-smi", "exit 1");
  EXPECT_EQ(preset(""), "cpu\n") << "there is a compiler, but no GPU";
  EXPECT_EQ(preset("--cuda"), "cuda\n");
  add_program("nvidia-smi", "echo GPU 0: of a test");
  EXPECT_EQ(preset(""), "cuda\n");
}

}  // namespace
}  // namespace rankine::cases
