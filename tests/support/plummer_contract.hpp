// The promises of operators of Kernel::plummer on every backend that has it. Included by one file
// of a test program.
#pragma once

#include "tests/support/error_messages.hpp"
#include "tests/support/soft_kernels.hpp"

namespace rankine::testing {

class PlummerOperator : public SoftKernelOperator {
 protected:
  PlummerOperator() : SoftKernelOperator(fmm::Kernel::plummer) {}
};

// With softening from much below the distances of neighbours to well above them.
TEST_P(PlummerOperator, KeepsTheTolerance) {
  for (const char* name : {"cube", "plummer", "ring", "helix", "two-bodies", "clusters"})
    expect_kept(name, 1e-4, soft(0.0, 1e-2));
  expect_kept("ray", 1e-9, soft(0.0, 1e-2));
  for (const char* name : {"cube", "ring", "clusters"}) expect_kept(name, 1e-4, soft(0.0, 1e-4));
  for (const char* name : {"cube", "plummer", "ring", "helix"})
    expect_kept(name, 1e-2, soft(0.0, 5e-2));
}

TEST_P(PlummerOperator, KeepsTheToleranceForDipolesAndSecondDerivatives) {
  Options options = soft(0.0, 1e-2);
  options.hessian = true;
  for (const char* name : {"cube", "ring"}) {
    expect_kept(name, 1e-3, options);
    expect_kept(name, 1e-3, options, true);
  }
}

TEST_P(PlummerOperator, WithoutSofteningIsLaplace) {
  const auto points = make_points("clusters", n, 1), directions = normals();
  Options options = EveryOperator::options();
  const Field laplace = sum({points, points, directions}, options, strengths(), 2);
  options.kernel = fmm::Kernel::plummer;
  const Field plummer = sum({points, points, directions}, options, strengths(), 2);
  EXPECT_EQ(plummer.potential, laplace.potential);
  EXPECT_EQ(plummer.gradient, laplace.gradient);
  EXPECT_EQ(plummer.hessian, laplace.hessian);
}

TEST_P(PlummerOperator, SumsPairsFarWithinTheSoftening) {
  expect_near_pairs(1e-3, {0.0, 1e-12, 1e-8, 1e-5});
}

TEST_P(PlummerOperator, MovesInSmallStepsAsANewOne) { expect_moves_as_a_new_one(); }

// Two points closer than the softening: phi = q / sqrt(r^2 + eps^2).
TEST_P(PlummerOperator, SumsLargeSofteningDirectly) {
  const std::vector<Vec3d> from = {{1.0, 2.0, 3.0}}, to = {{1.0, 2.0, 3.0 + 1e-7}};
  Options given = soft(2.0, 1e-3);
  given.direct_pairs = Options{}.direct_pairs;
  const Field field = sum({from, to}, given, {.charges = {3.0}}, 1);
  EXPECT_NEAR(field.potential[0], 1.5, 1e-6);
  EXPECT_NEAR(field.gradient[2] / (to[0].z - from[0].z), -3.0 / 8.0, 1e-6);
}

TEST_P(PlummerOperator, SaysWhatIsWrong) {
  const auto points = make_points("cube", 3000, 1);
  const auto message = [&](const Options& given, std::vector<double> radii = {}) {
    return message_of<InputError>([&] { make({points, points, {}, radii}, given); });
  };
  EXPECT_EQ(message(soft(-0.1, 1e-3)), "softening -0.1 m is not a length; use 0 or more");
  EXPECT_TRUE(says(message(soft(std::nan(""), 1e-3)), "is not a length"));
  Options laplace = soft(0.1, 1e-3);
  laplace.kernel = fmm::Kernel::laplace;
  EXPECT_EQ(message(laplace),
            "softening 0.1 m was given for kernel laplace, which is not softened; leave it out "
            "or use kernel plummer");
  EXPECT_TRUE(
      says(message(soft(0.1, 1e-3), std::vector<double>(3000, 1.0)), "core radii were given"));
  if (method() == Method::direct) return;
  const std::string too_soft = message(soft(0.1, 1e-3));
  for (const char* part : {"softening 0.1 m is too large", "tolerance 0.001", "lie within",
                           "method direct", "larger tolerance", "smaller softening"})
    EXPECT_TRUE(says(too_soft, part));
  Options direct = soft(0.1, 1e-3);
  direct.direct_pairs = 10'000'000;
  EXPECT_EQ(make({points, points}, direct)->info().method, Method::direct);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlummerOperator, every_kind, kind_name);

}  // namespace rankine::testing
