// What operators of vortex kernels keep, on every backend that has them: the promise of the tolerance
// against plain loops, a field without divergence, the limit of no core, moving, messages. Included by one
// file of a test program, after tests/support/plummer_contract.hpp.
#pragma once

#include <numbers>

#include "tests/support/plummer_contract.hpp"

namespace rankine::testing {

/// A plain loop in metres with the standard library's functions; `squares` are those of the same terms.
struct VortexSums {
  Field exact, squares;

  VortexSums(fmm::Kernel kernel, const std::vector<Vec3d>& from, const std::vector<Vec3d>& to,
             const std::vector<double>& vortices, const std::vector<double>& sigma)
      : exact(zeros(to.size())), squares(zeros(to.size())) {
    parallel_for(to.size(), [&](std::size_t i) {
      for (std::size_t j = 0; j < from.size(); ++j) {
        const Vec3d r = to[i] - from[j];
        const double d2 = dot(r, r), d = std::sqrt(d2), d3 = d2 * d;
        if (d == 0.0) continue;
        const auto [q, rise] = core(kernel, d / sigma[j]);
        const Vec3d gamma{vortices[3 * j], vortices[3 * j + 1], vortices[3 * j + 2]};
        const Vec3d across = cross(gamma, r);
        for (int a = 0; a < 3; ++a) {
          add(&Field::velocity, 3 * i + a, q * across[a] / d3);
          for (int b = 0; b < 3; ++b) {
            Vec3d e;
            e[b] = 1.0;
            add(&Field::velocity_gradient, 9 * i + 3 * a + b,
                q * cross(gamma, e)[a] / d3 + (rise - 3.0 * q) * across[a] * r[b] / (d3 * d2));
          }
        }
      }
    });
  }

 private:
  /// q and rho q'.
  static std::array<double, 2> core(fmm::Kernel kernel, double rho) {
    if (rho > 30.0) return {1.0, 0.0};
    if (kernel == fmm::Kernel::vortex_exponential) {
      const double t = rho * rho * rho;
      return {-std::expm1(-t), 3.0 * t * std::exp(-t)};
    }
    const double c = std::sqrt(2.0 / std::numbers::pi), e = c * std::exp(-0.5 * rho * rho);
    return {std::erf(rho / std::numbers::sqrt2) - e * rho, e * rho * rho * rho};
  }
  static Field zeros(std::size_t n) {
    return {{}, {}, {}, std::vector<double>(3 * n), std::vector<double>(9 * n)};
  }
  void add(std::vector<double> Field::*part, std::size_t at, double term) {
    (exact.*part)[at] += term;
    (squares.*part)[at] += term * term;
  }
};

class VortexOperator : public EveryOperator {
 protected:
  void SetUp() override {
    EveryOperator::SetUp();
    if (backend_ && !backend_->has(fmm::Kernel::vortex_exponential))
      GTEST_SKIP() << "no such kernel here";
  }

  Options regularised(double tolerance,
                      fmm::Kernel kernel = fmm::Kernel::vortex_exponential) const {
    Options result = contract_options(tolerance, method(), std::get<1>(GetParam()));
    result.kernel = kernel;
    return result;
  }

  /// Between a tenth of `most` and that.
  static std::vector<double> radii(std::size_t count, double most) {
    std::vector<double> result = make_strengths(count, 8);
    for (double& each : result) each = most * (0.55 + 0.45 * each);
    return result;
  }

  /// Random twice, all alike, of alternating sign, around the z axis, and of opposite sign on both sides.
  static std::vector<std::vector<double>> vortices_of(const std::vector<Vec3d>& from) {
    const std::size_t count = from.size();
    std::vector<std::vector<double>> all = {make_strengths(3 * count, 5),
                                            make_strengths(3 * count, 6)};
    all.resize(6);
    for (std::size_t i = 0; i < count; ++i) {
      const double alternating = i % 2 == 0 ? 1.0 : -1.0, side = from[i].x < 0.5 ? 1.0 : -1.0;
      all[2].insert(all[2].end(), {0.3, -0.2, 1.0});
      all[3].insert(all[3].end(), {alternating, 0.5 * alternating, -alternating});
      all[4].insert(all[4].end(), {-from[i].y, from[i].x, 0.0});
      all[5].insert(all[5].end(), {side, 0.0, -side});
    }
    return all;
  }

  /// The largest core is `core` of the extent.
  void expect_kept(const std::string& name, double core, const Options& options) {
    const auto from = make_points(name, n, 1), to = make_points(name, n / 16, 2);
    const auto sigma = radii(n, core * extent_of(from));
    const auto op = make({from, to, {}, sigma}, options);
    const double kept = op->info().kept_tolerance;
    EXPECT_EQ(op->info().kernel, options.kernel);
    int draw = 0;
    for (const auto& vortices : vortices_of(from)) {
      const VortexSums sums(options.kernel, from, to, vortices, sigma);
      const Field found = backend_->apply(*op, {.vortices = vortices}, 2);
      const std::string what = name + ", strengths " + std::to_string(draw++) + ", tolerance " +
                               std::to_string(options.tolerance);
      EXPECT_LE(promised_error(found.velocity, sums.exact.velocity, sums.squares.velocity), kept)
          << what;
      EXPECT_LE(promised_error(found.velocity_gradient, sums.exact.velocity_gradient,
                               sums.squares.velocity_gradient),
                kept)
          << what << ", gradient";
    }
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
  for (const char* name : {"cube", "ring"})
    expect_kept(name, 0.01, regularised(1e-3, fmm::Kernel::vortex_gaussian));
}

TEST_P(VortexOperator, KeepsSmallTolerancesInDouble) {
  if (single()) return;
  expect_kept("cube", 0.03, regularised(1e-8));
  expect_kept("ring", 0.005, regularised(1e-8, fmm::Kernel::vortex_gaussian));
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
  const auto part = [](const std::vector<double>& values, std::size_t size, std::size_t k) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size * k);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size));
  };
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

// Points in one place do nothing to each other, and pairs far within their cores, which float does not tell
// apart in their leaves, little but right.
TEST_P(VortexOperator, SumsPairsFarWithinTheirCores) {
  for (const double gap : {0.0, 1e-12, 1e-7}) {
    auto points = make_points("cube", n, 1);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      points[i + 1] = points[i];
      points[i + 1].x += gap;
    }
    const auto sigma = radii(n, 0.02), vortices = make_strengths(3 * n, 2);
    const Options given = regularised(1e-3);
    const auto kernel = given.kernel;
    const VortexSums sums(kernel, points, points, vortices, sigma);
    const Field found = sum({points, points, {}, sigma}, given, {.vortices = vortices}, 2);
    EXPECT_LE(promised_error(found.velocity, sums.exact.velocity, sums.squares.velocity),
              given.tolerance)
        << "gap " << gap;
    EXPECT_LE(promised_error(found.velocity_gradient, sums.exact.velocity_gradient,
                             sums.squares.velocity_gradient),
              given.tolerance)
        << "gap " << gap;
  }
}

// Bit for bit, at every step; cores spread.
TEST_P(VortexOperator, MovesInSmallStepsAsANewOne) {
  constexpr std::size_t few = 60;
  const ThreadScope alone(1);  // threads would wait for each other
  const auto vortices = make_strengths(3 * few, 3);
  for (auto& [name, drift] : drifts(few)) {
    Options given = regularised(1e-2);
    given.leaf_capacity = 4;
    const auto moved = make({drift.points, drift.points, {}, radii(few, drift.small)}, given);
    given.order = moved->info().order;
    if (method() != Method::direct) {
      EXPECT_LT(moved->info().near_pairs, std::int64_t{few * few}) << "no expansions";
    }
    for (int step = 1; step <= drift_steps; ++step) {
      drift.advance();
      const auto sigma = radii(few, (1.0 + 0.01 * step) * drift.small);
      const Points points{drift.points, drift.points, {}, sigma};
      moved->move(points);
      const Field found = backend_->apply(*moved, {.vortices = vortices}, 2),
                  fresh = sum(points, given, {.vortices = vortices}, 2);
      ASSERT_EQ(found.velocity, fresh.velocity) << name << ", step " << step;
      ASSERT_EQ(found.velocity_gradient, fresh.velocity_gradient) << name << ", step " << step;
    }
  }
}

TEST_P(VortexOperator, SaysWhatIsWrong) {
  const std::size_t few = 3000;
  const auto points = make_points("cube", few, 1);
  const auto message = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
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
                             "method direct", "smaller core radius"}) {
      EXPECT_NE(too_large.find(part), std::string::npos) << too_large;
    }
  }
  const auto op = make({points, points, {}, sigma}, regularised(1e-3));
  std::vector<double> vortices(3 * few, 1.0), u(3 * few), phi(few);
  EXPECT_NE(
      message([&] { op->apply({.charges = phi}, {.velocity = u}); }).find("was given charges"),
      std::string::npos);
  EXPECT_NE(message([&] {
              op->apply({.vortices = vortices}, {.potential = phi});
            }).find("was given arrays for potentials"),
            std::string::npos);
  EXPECT_EQ(message([&] { op->apply({}, {.velocity = u}); }),
            "apply was given no strengths; pass vortices");
  EXPECT_EQ(message([&] { op->apply({.vortices = vortices}, {}); }),
            "apply was asked for nothing; pass an array for the velocity or its gradient");
  EXPECT_EQ(message([&] { op->apply({.vortices = phi}, {.velocity = u}); }),
            "vortices hold 3000 values, but 1 right-hand side of 3000 sources needs 9000");
  EXPECT_NE(message([&] { op->move({points, points}); }).find("0 core radii"), std::string::npos);
  const auto laplace = make({points, points}, options());
  EXPECT_NE(message([&] {
              laplace->apply({.vortices = vortices}, {.velocity = u});
            }).find("which kernel laplace does not have"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, VortexOperator,
    ::testing::Combine(::testing::Values(Method::direct, Method::treecode, Method::fmm),
                       ::testing::Values(Precision::float64, Precision::float32)),
    [](const auto& instance) {
      return std::string(fmm::to_string(std::get<0>(instance.param))) + "_" +
             std::string(fmm::to_string(std::get<1>(instance.param)));
    });

}  // namespace rankine::testing
