// The promises of operators of vortex kernels on every backend that has them. Included by one file
// of a test program.
#pragma once

#include "tests/support/error_messages.hpp"
#include "tests/support/soft_kernels.hpp"

namespace rankine::testing {

class VortexOperator : public SoftKernelOperator {
 protected:
  VortexOperator() : SoftKernelOperator(fmm::Kernel::vortex_exponential) {}

  Options regularised(double tolerance) const { return soft(0.0, tolerance); }
  Options gaussian(double tolerance) const {
    Options result = regularised(tolerance);
    result.kernel = fmm::Kernel::vortex_gaussian;
    return result;
  }
};

TEST_P(VortexOperator, KeepsTheTolerance) {
  expect_kept("cube", 0.03, regularised(1e-3));
  expect_kept("plummer", 1e-3, regularised(1e-3));
  expect_kept("clusters", 3e-3, regularised(1e-3));
  for (const char* name : {"ring", "helix"}) expect_kept(name, 0.01, regularised(1e-3));
  expect_kept("two-bodies", 1e-3, regularised(1e-3));
  expect_kept("ray", 1e-9, regularised(1e-3));
  expect_kept("helix", 0.02, regularised(2e-2));
  expect_kept("ring", 0.02, regularised(1e-4));
  for (const char* name : {"cube", "ring"}) expect_kept(name, 0.01, gaussian(1e-3));
}

TEST_P(VortexOperator, KeepsSmallTolerancesInDouble) {
  if (single()) return;
  expect_kept("cube", 0.03, regularised(1e-8));
  expect_kept("ring", 0.005, gaussian(1e-8));
}

// div u = 0, pair by pair and expansion by expansion.
TEST_P(VortexOperator, HasNoDivergence) {
  const auto points = make_points("ring", n, 1);
  const auto sigma = radii(n, 0.05);
  const Field field = sum({points, points, {}, sigma}, regularised(1e-3),
                          {.vortices = make_strengths(3 * n, 2)}, 2);
  double trace = 0.0, size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* g = field.velocity_gradient.data() + 9 * i;
    trace += std::pow(g[0] + g[4] + g[8], 2);
    for (int c = 0; c < 9; ++c) size += g[c] * g[c];
  }
  EXPECT_LE(std::sqrt(trace / size), rounding());
}

// u = sum grad(1/r) x Gamma, from the gradients of charges Gamma_x, Gamma_y, Gamma_z.
TEST_P(VortexOperator, WithoutCoresIsTheCurlOfLaplace) {
  const auto points = make_points("clusters", n, 1);
  const auto vortices = make_strengths(3 * n, 2);
  Options given = regularised(1e-3);
  given.order = 8;  // of both
  const std::vector<double> none(n, 1e-12);
  const Field found = sum({points, points, {}, none}, given, {.vortices = vortices}, 2);
  std::vector<double> charges(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) charges[axis * n + i] = vortices[3 * i + axis];
  }
  Options laplace = given;
  laplace.kernel = fmm::Kernel::laplace;
  laplace.rhs = 3;
  const auto op = make({points, points}, laplace);
  const Field potentials = backend_->apply(*op, {.charges = charges}, 2, 3);
  std::vector<double> curl(3 * n), curl_gradient(9 * n);
  constexpr int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      curl[3 * i + a] =
          potentials.gradient[3 * (c * n + i) + b] - potentials.gradient[3 * (b * n + i) + c];
      for (std::size_t j = 0; j < 3; ++j) {
        curl_gradient[9 * i + 3 * a + j] = potentials.hessian[6 * (c * n + i) + at[b][j]] -
                                           potentials.hessian[6 * (b * n + i) + at[c][j]];
      }
    }
  }
  EXPECT_LE(relative_error(found.velocity, curl), rounding());
  EXPECT_LE(relative_error(found.velocity_gradient, curl_gradient), 10.0 * rounding());
}

TEST_P(VortexOperator, SeveralRightHandSidesEqualOneAtATime) {
  constexpr std::size_t rhs = 5;
  const auto points = make_points("clusters", n, 1);
  const auto sigma = radii(n, 1e-3), all = make_strengths(3 * n * rhs, 2);
  Options given = regularised(1e-2);
  given.order = 4;  // so that every pass has work
  given.rhs = rhs;
  const auto op = make({points, points, {}, sigma}, given);
  for (const int derivatives : {1, 2}) {
    const Field together = backend_->apply(*op, {.vortices = all}, derivatives, rhs);
    for (std::size_t k = 0; k < rhs; ++k) {
      const Field one = backend_->apply(*op, {.vortices = part(all, 3 * n, k)}, derivatives);
      EXPECT_LE(relative_error(part(together.velocity, 3 * n, k), one.velocity), rounding()) << k;
      if (derivatives == 1) continue;
      EXPECT_LE(relative_error(part(together.velocity_gradient, 9 * n, k), one.velocity_gradient),
                rounding())
          << k;
    }
  }
}

TEST_P(VortexOperator, SumsPairsFarWithinTheirCores) {
  expect_near_pairs(0.02, {0.0, 1e-12, 1e-7});
}

TEST_P(VortexOperator, MovesInSmallStepsAsANewOne) { expect_moves_as_a_new_one(); }

TEST_P(VortexOperator, SaysWhatIsWrong) {
  const std::size_t few = 3000;
  const auto points = make_points("cube", few, 1);
  const auto message = [](auto&& call) { return message_of<InputError>(call); };
  const auto of_radii = [&](const std::vector<double>& sigma) {
    return message([&] { make({points, points, {}, sigma}, regularised(1e-3)); });
  };
  std::vector<double> sigma(few, 1e-3);
  EXPECT_EQ(of_radii({}), "there are 0 core radii for 3000 vortices; give one each");
  sigma[7] = -1.0;
  EXPECT_EQ(of_radii(sigma),
            "core radius number 7 is -1 m; core radii must be positive and finite");
  sigma[7] = 1e-3;
  if (method() != Method::direct) {
    const std::string too_large = of_radii(std::vector<double>(few, 0.5));
    for (const char* part : {"core radius 0.5 m is too large", "tolerance 0.001", "lie within",
                             "method direct", "smaller core radius"})
      EXPECT_TRUE(says(too_large, part));
  }
  const auto op = make({points, points, {}, sigma}, regularised(1e-3));
  std::vector<double> vortices(3 * few, 1.0), u(3 * few), phi(few);
  EXPECT_TRUE(
      says(message([&] { op->apply({.charges = phi}, {.velocity = u}); }), "was given charges"));
  EXPECT_TRUE(says(message([&] { op->apply({.vortices = vortices}, {.potential = phi}); }),
                   "was given arrays for potentials"));
  EXPECT_EQ(message([&] { op->apply({}, {.velocity = u}); }),
            "apply was given no strengths; pass vortices");
  EXPECT_EQ(message([&] { op->apply({.vortices = vortices}, {}); }),
            "apply was asked for nothing; pass an array for the velocity or its gradient");
  EXPECT_EQ(message([&] { op->apply({.vortices = phi}, {.velocity = u}); }),
            "vortices hold 3000 values, but 1 right-hand side of 3000 sources needs 9000");
  EXPECT_TRUE(says(message([&] { op->move({points, points}); }), "0 core radii"));
  const auto laplace = make({points, points}, options());
  EXPECT_TRUE(says(message([&] { laplace->apply({.vortices = vortices}, {.velocity = u}); }),
                   "which kernel laplace does not have"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, VortexOperator, every_kind, kind_name);

}  // namespace rankine::testing
