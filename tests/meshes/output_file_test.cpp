// Files that appear whole or not at all, also where the disk is full or a writer is killed.
#include "rankine/meshes/files/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/file_stream.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using testing::entries;
using testing::FileSizeLimit;
using testing::FolderTest;
using testing::message_of;
using testing::read_text;
using testing::says;

namespace fs = std::filesystem;

using OutputFile = FolderTest;

void write_text(const fs::path& path, const std::string& text) {
  write_file(path, [&](std::ostream& stream) { stream << text; });
}

TEST_F(OutputFile, TakesItsPlaceByRenamingSoThatReadersKeepWhatTheyOpened) {
  const auto both_ways = {+[](const fs::path& path) { write_text(path, "new"); },
                          +[](const fs::path& path) {
                            write_then_rename(
                                path, [](const fs::path& file) { std::ofstream(file) << "new"; });
                          }};
  for (const auto& write : both_ways) {
    const fs::path file = folder().write("file.txt", "old");
    std::ifstream reader(file);
    fs::create_hard_link(file, in_folder("link"));
    write(file);
    EXPECT_EQ(read_text(file), "new");
    EXPECT_EQ(read_text(in_folder("link")), "old") << "the old file was written over";
    std::string opened;
    reader >> opened;
    EXPECT_EQ(opened, "old");
    fs::remove(in_folder("link"));
    EXPECT_EQ(entries(folder().path()), 1u);
  }
}

TEST_F(OutputFile, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  const fs::path file = folder().write("file.bin", "old");
  const FileSizeLimit full(5000);
  for (const std::size_t size : {5001u, 100000u, 3000000u}) {
    const std::string text(size, 'x');
    EXPECT_TRUE(says(message_of<InputError>([&] { write_text(file, text); }), "File too large"));
    // Writers of a library, which do not tell what became of their bytes.
    EXPECT_TRUE(says(message_of<InputError>([&] {
                       write_then_rename(
                           file, [&](const fs::path& path) { std::ofstream(path) << text; });
                     }),
                     "cannot write " + file.string()));
    EXPECT_EQ(read_text(file), "old");
    EXPECT_EQ(entries(folder().path()), 1u);
  }
  write_text(file, std::string(5000, 'y'));
  EXPECT_EQ(read_text(file), std::string(5000, 'y'));
}

TEST_F(OutputFile, NoTraceOfAWriterThatThrows) {
  const auto fail = [](const auto&) { throw std::runtime_error("no"); };
  EXPECT_THROW(write_file(in_folder("a"), fail), std::runtime_error);
  EXPECT_THROW(write_then_rename(in_folder("a"), fail), std::runtime_error);
  EXPECT_EQ(entries(folder().path()), 0u);
}

TEST_F(OutputFile, TheNextWriterRemovesWhatAKilledOneLeft) {
  const fs::path file = in_folder("file.txt");
  const pid_t child = ::fork();
  if (child == 0) {
    write_then_rename(file, [](const fs::path& path) {
      std::ofstream(path) << "half" << std::flush;
      ::kill(::getpid(), SIGKILL);
    });
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(entries(folder().path()), 1u);
  // One that is still being written, and files of the user.
  const fs::path busy = folder().write(".file.1.txt", "");
  const int locked = ::open(busy.c_str(), O_RDWR);
  ::flock(locked, LOCK_EX);
  for (const char* name : {".file.x.txt", ".file.txt", "file.1.txt", ".file.2.csv"})
    folder().write(name, "mine");
  write_text(file, "whole");
  EXPECT_EQ(read_text(file), "whole");
  EXPECT_EQ(entries(folder().path()), 6u);
  ::close(locked);
}

TEST_F(OutputFile, AStreamCanBeSoughtAndNeverFails) {
  FileBuffer buffer(in_folder("file"));
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
}

TEST_F(OutputFile, AStreamSaysAtTheEndWhatWasRefused) {
  FileBuffer buffer("/dev/full");
  std::ostream stream(&buffer);
  for (int i = 0; i < 100; ++i) stream << std::string(100000, 'x');
  EXPECT_EQ(stream.tellp(), 10000000);
  EXPECT_TRUE(stream.good());
  EXPECT_EQ(buffer.close(), "No space left on device");
  FileBuffer nowhere(in_folder("none/file"));
  EXPECT_EQ(nowhere.close(), "No such file or directory");
}

}  // namespace
}  // namespace rankine::meshes
