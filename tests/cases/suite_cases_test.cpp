// The problems of `rankine verify --all` and their exact values agree already on coarse meshes.
#include "cases/verification/suite_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/verbs/verbs.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

class SuiteCases : public testing::FolderTest,
                   public ::testing::WithParamInterface<std::vector<SuiteCase> (*)()> {};

// Errors of order p grow by 4^p from a mesh to one with a sixteenth of its panels. The order of no
// quantity exceeds 3.5 between these meshes.
TEST_P(SuiteCases, HaveTheirExactValuesOnCoarseMeshes) {
  constexpr double grown = 128.0;
  for (const SuiteCase& each : GetParam()()) {
    SolveArguments solve;
    solve.file = folder().write("case.toml", "version = 1\n" + each.text + "\n");
    solve.output = in_folder("results");
    solve.overrides = {"mesh.panels=" + std::to_string(std::max(each.panels / 16, 320))};
    solve.silent = true;
    ASSERT_EQ(run(solve), exit_solved) << each.text;
    const auto summary =
        nlohmann::json::parse(testing::read_text(in_folder("results/summary.json")));
    for (const Quantity& quantity : each.quantities)
      EXPECT_LE(error_of(quantity, summary), grown * quantity.limit)
          << each.group << " " << each.name << ", " << quantity.name;
  }
}
INSTANTIATE_TEST_SUITE_P(Quick, SuiteCases, ::testing::Values(quick_cases));
INSTANTIATE_TEST_SUITE_P(Long, SuiteCases, ::testing::Values(long_cases));

}  // namespace
}  // namespace rankine::cases
