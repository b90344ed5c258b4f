// Files that appear whole or not at all, also where the disk is full or a writer is killed.
#include "rankine/meshes/files/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace rankine::testing;

namespace fs = std::filesystem;

using OutputFile = FolderTest;

void write_text(const fs::path& path, const std::string& text) {
  write_file(path, [&](std::ostream& stream) { stream << text; });
}

TEST_F(OutputFile, TakesItsPlaceByRenamingSoThatReadersKeepWhatTheyOpened) {
  const fs::path file = folder().write("file.txt", "old");
  std::ifstream reader(file);
  fs::create_hard_link(file, in_folder("link"));
  write_text(file, "new");
  EXPECT_EQ(read_text(file), "new");
  EXPECT_EQ(read_text(in_folder("link")), "old") << "the old file was written over";
  std::string opened;
  reader >> opened;
  EXPECT_EQ(opened, "old");
  EXPECT_EQ(entries(folder().path()), 2u) << "a temporary file is left";
}

TEST_F(OutputFile, IsKeptWhereNothingWasWritten) {
  const fs::path file = folder().write("file.txt", "old");
  EXPECT_TRUE(says(message_of<InputError>([&] { write_text(file, ""); }), "nothing was written"));
  EXPECT_EQ(read_text(file), "old");
}

/// What write_file leaves in the folder while it writes, and calls meanwhile.
template <class Meanwhile>
std::string temporary_name(const fs::path& file, Meanwhile&& meanwhile) {
  std::string temporary;
  write_file(file, [&](std::ostream& stream) {
    for (const std::string& name : testing::names_in(file.parent_path())) {
      if (name.starts_with("." + file.filename().string())) temporary = name;
    }
    meanwhile(file.parent_path() / temporary);
    stream << "mine";
  });
  return temporary;
}

/// In a folder that others can write to: what they put there is neither written to nor waited for.
TEST_F(OutputFile, IsNotLedAstrayByPlantedLinksAndPipes) {
  const fs::path precious = folder().write("precious", "precious");
  const fs::path file = in_folder("file.txt");
  const auto nothing = [](const fs::path&) {};
  const std::string first = temporary_name(file, nothing), second = temporary_name(file, nothing);
  EXPECT_NE(first, second) << "the name can be foreseen";
  EXPECT_FALSE(says(first, std::to_string(::getpid())));
  // Under names that a killed writer could have left, and as the target itself.
  fs::create_symlink(precious, in_folder(".file.txt.0123456789abcdef"));
  ASSERT_EQ(::mkfifo(in_folder(".file.txt.0123456789abcde0").c_str(), 0600), 0);
  fs::remove(file);
  fs::create_symlink(precious, file);
  write_text(file, "mine");
  EXPECT_EQ(read_text(precious), "precious");
  EXPECT_FALSE(fs::is_symlink(file));
  EXPECT_EQ(entries(folder().path()), 4u);
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  write_text(file, "mine");
  EXPECT_EQ(read_text(file), "mine");
}

/// Somebody else removes the temporary file while it is written and puts a link in its place.
TEST_F(OutputFile, WritesToTheFileThatItMade) {
  const fs::path precious = folder().write("precious", "precious");
  temporary_name(in_folder("file.txt"), [&](const fs::path& temporary) {
    fs::remove(temporary);
    fs::create_symlink(precious, temporary);
  });
  EXPECT_EQ(read_text(precious), "precious");
}

TEST_F(OutputFile, MayHaveTheLongestNameThereIs) {
  const fs::path file = in_folder(std::string(255, 'n'));
  write_text(file, "mine");
  EXPECT_EQ(read_text(file), "mine");
}

TEST_F(OutputFile, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  const fs::path file = folder().write("file.bin", "old");
  const FileSizeLimit full(5000);
  for (const std::size_t size : {5001u, 100000u, 3000000u}) {
    const std::string text(size, 'x');
    const std::string message = message_of<InputError>([&] { write_text(file, text); });
    EXPECT_TRUE(says(message, "cannot write " + file.string() + ": File too large"));
    EXPECT_EQ(read_text(file), "old");
    EXPECT_EQ(entries(folder().path()), 1u);
  }
  write_text(file, std::string(5000, 'y'));
  EXPECT_EQ(read_text(file), std::string(5000, 'y'));
}

TEST_F(OutputFile, NoTraceOfAWriterThatThrows) {
  const auto fail = [](const auto&) { throw std::runtime_error("no"); };
  EXPECT_THROW(write_file(in_folder("a"), fail), std::runtime_error);
  EXPECT_EQ(entries(folder().path()), 0u);
}

TEST_F(OutputFile, TheNextWriterRemovesWhatAKilledOneLeft) {
  const fs::path file = in_folder("file.txt");
  const pid_t child = ::fork();
  if (child == 0) {
    write_file(file, [](std::ostream& stream) {
      stream << "half" << std::flush;
      ::kill(::getpid(), SIGKILL);
    });
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(entries(folder().path()), 1u);
  // One that is still being written, and files of the user.
  const fs::path busy = folder().write(".file.txt.0123456789abcdef", "");
  const int locked = ::open(busy.c_str(), O_RDWR);
  ::flock(locked, LOCK_EX);
  for (const char* name : {".file.txt.0123456789abcdeX", ".file.txt", "file.txt.0123456789abcdef",
                           ".file.csv.0123456789abcdef"})
    folder().write(name, "mine");
  write_text(file, "whole");
  EXPECT_EQ(read_text(file), "whole");
  EXPECT_EQ(entries(folder().path()), 6u);
  ::close(locked);
}

TEST_F(OutputFile, AWriterKeepsItsFileWhileAnotherWrites) {
  const fs::path file = in_folder("file.txt");
  write_file(file, [&](std::ostream& stream) {
    write_text(file, "of the other");
    EXPECT_EQ(read_text(file), "of the other");
    stream << "of the first, later";
  });
  EXPECT_EQ(read_text(file), "of the first, later");
  EXPECT_EQ(entries(folder().path()), 1u);
}

TEST_F(OutputFile, AStreamCanBeSoughtAndNeverFails) {
  const int file = ::open(in_folder("file").c_str(), O_RDWR | O_CREAT, 0600);
  FileBuffer buffer(file);
  std::ostream stream(&buffer);
  stream << "....";
  const auto here = stream.tellp();
  EXPECT_EQ(here, 4);
  const std::string much(3000000, 'a');
  stream << much;
  stream.seekp(here - std::streamoff{2}) << "xy";
  stream.seekp(0, std::ios::end) << "end";
  EXPECT_TRUE(stream.good());
  EXPECT_EQ(buffer.close(), "");
  EXPECT_EQ(read_text(in_folder("file")), "..xy" + much + "end");
  ::close(file);
}

TEST_F(OutputFile, AStreamSaysAtTheEndWhatWasRefused) {
  const int full = ::open("/dev/full", O_WRONLY);
  FileBuffer buffer(full);
  std::ostream stream(&buffer);
  for (int i = 0; i < 100; ++i) stream << std::string(100000, 'x');
  EXPECT_EQ(stream.tellp(), 10000000);
  EXPECT_TRUE(stream.good());
  EXPECT_EQ(buffer.close(), "No space left on device");
  ::close(full);
  EXPECT_EQ(FileBuffer(-1).close(), "Bad file descriptor");
}

}  // namespace
}  // namespace rankine::meshes
