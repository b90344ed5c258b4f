// A folder of its own for every test, removed with everything in it: tests run side by side.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rankine::meshes {

class TemporaryFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("rankine-") + info->test_suite_name() + "-" + info->name();
    for (char& c : name) c = c == '/' ? '-' : c;
    folder_ = std::filesystem::temp_directory_path() / (name + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path in_folder(const std::string& name) const { return folder_ / name; }

  std::filesystem::path write_text(const std::string& name, const std::string& text) const {
    std::ofstream(in_folder(name), std::ios::binary) << text;
    return in_folder(name);
  }

  static std::string read_text(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  /// How many files the folder holds, hidden ones too.
  std::size_t file_count() const {
    const std::filesystem::directory_iterator files(folder_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace rankine::meshes
