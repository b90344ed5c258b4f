// Tests that every backend of the program must pass. Those of a device are skipped where the
// program finds none, unless REQUIRE_GPU=1 asks for one.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/program.hpp"

namespace rankine::cases {

class OnBackend : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { require(GetParam()); }

  static void require(const std::string& backend) {
    if (backend == "cpu" || device_present()) return;
    const char* const required = std::getenv("REQUIRE_GPU");
    if (required != nullptr && std::string_view(required) == "1")
      FAIL() << "REQUIRE_GPU=1, but rankine info names no device";
    GTEST_SKIP() << "no CUDA device";
  }

  static bool device_present() {
    const Outcome info = run_program({"info", "--json", "-"});
    return info.exit_code == 0 && !nlohmann::json::parse(info.out)["devices"].empty();
  }

  /// solve() on this backend; the summary must say so.
  static nlohmann::json solve_here(const std::vector<std::string>& arguments, int exit_code = 0) {
    nlohmann::json summary = solve(with(arguments, {"--backend", GetParam()}), exit_code);
    EXPECT_TRUE(summary.is_object() && summary["fmm"]["backend"] == GetParam());
    return summary;
  }
};

#define RANKINE_ON_EVERY_BACKEND(suite)                                    \
  INSTANTIATE_TEST_SUITE_P(Backend, suite, testing::Values("cpu", "cuda"), \
                           [](const auto& backend) { return backend.param; })

}  // namespace rankine::cases
