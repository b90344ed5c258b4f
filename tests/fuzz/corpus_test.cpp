// Every file of corpus/, through the target of its folder: the seeds of the fuzzers, and what they
// found, made small.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"

namespace rankine::testing {
namespace {

namespace fs = std::filesystem;

class FuzzCorpus : public ::testing::TestWithParam<std::string> {};

TEST_P(FuzzCorpus, IsTakenOrRefused) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(RANKINE_FUZZ_CORPUS) / GetParam())) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(fuzz_targets().at(GetParam())(bytes), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0u);
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : fuzz_targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, ::testing::ValuesIn(names()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace rankine::testing
