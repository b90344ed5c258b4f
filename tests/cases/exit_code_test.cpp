// Which error ends with which code: the table of docs/howto/results.md.
#include "cases/exit_code.hpp"

#include <gtest/gtest.h>

#include <new>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

TEST(ExitCode, FollowsFromTheKindOfTheError) {
  EXPECT_EQ(exit_code_of(InputError("")), 2);
  EXPECT_EQ(exit_code_of(MeshError("")), 3);
  EXPECT_EQ(exit_code_of(DeviceError("")), 6);
  EXPECT_EQ(exit_code_of(std::bad_alloc()), 6);
  EXPECT_EQ(exit_code_of(std::bad_array_new_length()), 6) << "a kind of bad_alloc";
  EXPECT_EQ(exit_code_of(Stopped("")), 130);
  EXPECT_EQ(exit_code_of(Error("")), 1);
  EXPECT_EQ(exit_code_of(std::runtime_error("")), 1);
}

TEST(ExitCode, HasTheNumbersThatScriptsKnow) {
  EXPECT_EQ(exit_solved, 0);
  EXPECT_EQ(exit_internal_error, 1);
  EXPECT_EQ(exit_usage, 2);
  EXPECT_EQ(exit_mesh, 3);
  EXPECT_EQ(exit_not_converged, 4);
  EXPECT_EQ(exit_limit_exceeded, 5);
  EXPECT_EQ(exit_device_or_memory, 6);
  EXPECT_EQ(exit_interrupted, 130);
}

}  // namespace
}  // namespace rankine::cases
