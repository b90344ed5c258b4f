// Tests that every backend of the program must pass. Those of a device are skipped where the
// program finds none.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/require_gpu.hpp"

namespace rankine::testing {

class OnBackend : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { require_gpu(GetParam() == "cpu" || device_present()); }

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

#define RANKINE_ON_EVERY_BACKEND(suite)                                      \
  INSTANTIATE_TEST_SUITE_P(Backend, suite, ::testing::Values("cpu", "cuda"), \
                           [](const auto& backend) { return backend.param; })

}  // namespace rankine::testing
