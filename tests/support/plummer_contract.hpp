// What operators of Kernel::plummer keep, on every backend that has it: the promise of the tolerance
// against plain loops, pairs much nearer than the softening, moving, messages. Included by one file of a
// test program, after tests/support/operator_contract.hpp.
#pragma once

#include <limits>

#include "tests/support/operator_contract.hpp"

namespace rankine::testing {

/// Longest edge of the points' bounding box.
inline double extent_of(const std::vector<Vec3d>& points) {
  Vec3d lower = points[0], upper = points[0];
  for (const Vec3d& p : points) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], p[axis]);
      upper[axis] = std::max(upper[axis], p[axis]);
    }
  }
  return std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
}

/// A plain loop, in metres, of charges q and dipole moments d, either possibly empty; `squares` are those of
/// the same terms.
struct SoftenedSums {
  Field exact, squares;

  SoftenedSums(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to,
               const std::vector<double>& q, const std::vector<double>& d, double eps)
      : exact(zeros(to.size())), squares(zeros(to.size())) {
    parallel_for(to.size(), [&](std::size_t i) {
      for (std::size_t j = 0; j < from.size(); ++j) {
        const Vec3d r = to[i] - from[j];
        if (r.x == 0.0 && r.y == 0.0 && r.z == 0.0) continue;
        const double s2 = dot(r, r) + eps * eps, s = std::sqrt(s2), s3 = s2 * s, s5 = s3 * s2;
        const double charge = q.empty() ? 0.0 : q[j];
        const Vec3d mu = d.empty() ? Vec3d{} : Vec3d{d[3 * j], d[3 * j + 1], d[3 * j + 2]};
        const double mr = dot(mu, r);
        add(&Field::potential, i, charge / s + mr / s3);
        for (int a = 0; a < 3; ++a) {
          add(&Field::gradient, 3 * i + a, -charge * r[a] / s3 + mu[a] / s3 - 3.0 * mr * r[a] / s5);
        }
        std::size_t at = 6 * i;
        for (int a = 0; a < 3; ++a) {
          for (int b = a; b < 3; ++b) {
            const double same = a == b ? 1.0 : 0.0;
            add(&Field::hessian, at++,
                charge * (3.0 * r[a] * r[b] / s5 - same / s3) -
                    3.0 * (mu[a] * r[b] + mu[b] * r[a] + mr * same) / s5 +
                    15.0 * mr * r[a] * r[b] / (s5 * s2));
          }
        }
      }
    });
  }

 private:
  static Field zeros(std::size_t n) {
    return {std::vector<double>(n), std::vector<double>(3 * n), std::vector<double>(6 * n)};
  }
  void add(std::vector<double> Field::*part, std::size_t at, double term) {
    (exact.*part)[at] += term;
    (squares.*part)[at] += term * term;
  }
};

/// Errors relative to what the promise is relative to.
inline double promised_error(const std::vector<double>& found, const std::vector<double>& exact,
                             const std::vector<double>& squares) {
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    error += std::pow(found[i] - exact[i], 2);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / std::max(size, std::accumulate(squares.begin(), squares.end(), 0.0)));
}

/// Points that move in straight lines, each by a tenth of the distance of its neighbour a step, and a length that is
/// small beside them.
struct Drift {
  std::vector<Vec3d> points, step;
  double small = 0.0;

  void advance() {
    for (std::size_t i = 0; i < points.size(); ++i) points[i] += step[i];
  }
};

/// Every distribution for which moving is promised, `n` points each.
inline std::vector<std::pair<std::string, Drift>> drifts(std::size_t n) {
  std::vector<std::pair<std::string, Drift>> all;
  for (const auto& [name, small] : {std::pair{"cube", 2e-3},
                                    {"plummer", 1e-4},
                                    {"ring", 1e-3},
                                    {"helix", 1e-3},
                                    {"two-bodies", 1e-5},
                                    {"ray", 1e-12}}) {
    Drift drift{make_points(name, n, 1), std::vector<Vec3d>(n)};
    drift.small = small * extent_of(drift.points);
    const auto way = make_strengths(3 * n, 2);
    for (std::size_t i = 0; i < n; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) nearest = std::min(nearest, norm(drift.points[j] - drift.points[i]));
      }
      drift.step[i] = 0.1 * nearest * Vec3d{way[3 * i], way[3 * i + 1], way[3 * i + 2]};
    }
    all.emplace_back(name, std::move(drift));
  }
  return all;
}
inline constexpr int drift_steps = 100;

class PlummerOperator : public EveryOperator {
 protected:
  void SetUp() override {
    EveryOperator::SetUp();
    if (backend_ && !backend_->has(fmm::Kernel::plummer)) GTEST_SKIP() << "no such kernel here";
  }

  Options softened(double softening, double tolerance) const {
    Options result = contract_options(tolerance, method(), std::get<1>(GetParam()));
    result.kernel = fmm::Kernel::plummer;
    result.softening = softening;
    result.dipoles = result.hessian = false;
    return result;
  }

  /// Random, all alike, of alternating sign, and neutral with sides of opposite sign.
  static std::vector<std::vector<double>> strengths_of(const std::vector<Vec3d>& from,
                                                       std::size_t width) {
    const std::size_t n = from.size() * width;
    std::vector<std::vector<double>> all = {make_strengths(n, 5), make_strengths(n, 6), {}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      all[2].push_back(1.0);
      all[3].push_back(i % 2 == 0 ? 1.0 : -1.0);
      all[4].push_back(from[i / width].x < 0.5 ? 1.0 : -1.0);
    }
    return all;
  }

  void expect_kept(const std::string& name, double softening, const Options& options,
                   bool dipoles) {
    const auto from = make_points(name, n, 1), to = make_points(name, n / 16, 2);
    Options given = options;
    given.softening = softening * extent_of(from);
    given.dipoles = dipoles;
    const auto op = make({from, to}, given);
    const int derivatives = given.hessian ? 2 : 1;
    int draw = 0;
    for (const auto& each : strengths_of(from, dipoles ? 3 : 1)) {
      const HostStrengths s =
          dipoles ? HostStrengths{.dipoles = each} : HostStrengths{.charges = each};
      const SoftenedSums sums(from, to, s.charges, s.dipoles, given.softening);
      const Field found = backend_->apply(*op, s, derivatives);
      const std::string what = name + ", softening " + std::to_string(softening) + ", strengths " +
                               std::to_string(draw++) + ", tolerance " +
                               std::to_string(given.tolerance);
      const double kept = op->info().kept_tolerance;
      EXPECT_LE(promised_error(found.potential, sums.exact.potential, sums.squares.potential), kept)
          << what;
      EXPECT_LE(promised_error(found.gradient, sums.exact.gradient, sums.squares.gradient), kept)
          << what << ", gradient";
      if (derivatives > 1) {
        EXPECT_LE(promised_error(found.hessian, sums.exact.hessian, sums.squares.hessian), kept)
            << what << ", second derivatives";
      }
    }
  }
};

// With softening from much below the distances of neighbours to well above them; where that leaves a
// single level, the operator says so.
TEST_P(PlummerOperator, KeepsTheTolerance) {
  for (const char* name : {"cube", "plummer", "ring", "helix", "two-bodies", "clusters"})
    expect_kept(name, 1e-4, softened(0.0, 1e-2), false);
  expect_kept("ray", 1e-9, softened(0.0, 1e-2), false);
  for (const char* name : {"cube", "ring", "clusters"})
    expect_kept(name, 1e-4, softened(0.0, 1e-4), false);
  for (const char* name : {"cube", "plummer", "ring", "helix"})
    expect_kept(name, 1e-2, softened(0.0, 5e-2), false);
}

TEST_P(PlummerOperator, KeepsTheToleranceForDipolesAndSecondDerivatives) {
  Options options = softened(0.0, 1e-2);
  options.hessian = true;
  for (const char* name : {"cube", "ring"}) {
    expect_kept(name, 1e-3, options, false);
    expect_kept(name, 1e-3, options, true);
  }
}

TEST_P(PlummerOperator, WithoutSofteningIsLaplace) {
  const auto points = make_points("clusters", n, 1), directions = normals();
  const Field plummer = sum(
      {points, points, directions},
      [&] {
        Options o = options();
        o.kernel = fmm::Kernel::plummer;
        return o;
      }(),
      strengths(), 2);
  const Field laplace = sum({points, points, directions}, options(), strengths(), 2);
  EXPECT_EQ(plummer.potential, laplace.potential);
  EXPECT_EQ(plummer.gradient, laplace.gradient);
  EXPECT_EQ(plummer.hessian, laplace.hessian);
}

// Pairs that float does not tell apart, far within their softening, and points in one place, which
// contribute nothing.
TEST_P(PlummerOperator, SumsPairsFarWithinTheSoftening) {
  constexpr double softening = 1e-3;
  for (const double gap : {0.0, 1e-12, 1e-8, 1e-5}) {
    auto points = make_points("cube", n, 1);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      points[i + 1] = points[i];
      points[i + 1].x += gap;
    }
    const auto q = make_strengths(n, 2);
    const SoftenedSums sums(points, points, q, {}, softening);
    const Options given = softened(softening, 1e-3);
    const Field found = sum({points, points}, given, {.charges = q}, 1);
    EXPECT_LE(promised_error(found.potential, sums.exact.potential, sums.squares.potential),
              given.tolerance)
        << "gap " << gap;
    EXPECT_LE(promised_error(found.gradient, sums.exact.gradient, sums.squares.gradient),
              given.tolerance)
        << "gap " << gap;
  }
}

// Two points within a softening that is as large as all else: phi = q / sqrt(r^2 + eps^2).
TEST_P(PlummerOperator, SumsLargeSofteningDirectly) {
  const std::vector<Vec3d> from = {{1.0, 2.0, 3.0}}, to = {{1.0, 2.0, 3.0 + 1e-7}};
  Options given = softened(2.0, 1e-3);
  given.direct_pairs = Options{}.direct_pairs;
  const Field field = sum({from, to}, given, {.charges = {3.0}}, 1);
  EXPECT_NEAR(field.potential[0], 1.5, 1e-6);
  EXPECT_NEAR(field.gradient[2] / (to[0].z - from[0].z), -3.0 / 8.0, 1e-6);
}

// Bit for bit, at every step.
TEST_P(PlummerOperator, MovesInSmallStepsAsANewOne) {
  constexpr std::size_t few = 60;
  const ThreadScope alone(1);  // threads would wait for each other
  const auto q = make_strengths(few, 3);
  for (auto& [name, drift] : drifts(few)) {
    Options given = softened(drift.small, 1e-2);
    given.leaf_capacity = 4;
    const auto moved = make({drift.points, drift.points}, given);
    given.order = moved->info().order;
    if (method() != Method::direct) {
      EXPECT_LT(moved->info().near_pairs, std::int64_t{few * few}) << "no expansions";
    }
    for (int step = 1; step <= drift_steps; ++step) {
      drift.advance();
      const Points points{drift.points, drift.points};
      moved->move(points);
      const Field found = backend_->apply(*moved, {.charges = q}, 1),
                  fresh = sum(points, given, {.charges = q}, 1);
      ASSERT_EQ(found.potential, fresh.potential) << name << ", step " << step;
      ASSERT_EQ(found.gradient, fresh.gradient) << name << ", step " << step;
    }
  }
}

TEST_P(PlummerOperator, SaysWhatIsWrong) {
  const auto points = make_points("cube", 3000, 1);
  const auto message = [&](const Options& given, std::vector<double> radii = {}) {
    try {
      make({points, points, {}, radii}, given);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message(softened(-0.1, 1e-3)), "softening -0.1 m is not a length; use 0 or more");
  EXPECT_NE(message(softened(std::nan(""), 1e-3)).find("is not a length"), std::string::npos);
  Options laplace = softened(0.1, 1e-3);
  laplace.kernel = fmm::Kernel::laplace;
  EXPECT_EQ(
      message(laplace),
      "softening 0.1 m was given for kernel laplace, which is not softened; leave it out or use "
      "kernel plummer");
  EXPECT_NE(
      message(softened(0.1, 1e-3), std::vector<double>(3000, 1.0)).find("core radii were given"),
      std::string::npos);
  if (method() == Method::direct) return;
  const std::string too_soft = message(softened(0.1, 1e-3));
  for (const char* part : {"softening 0.1 m is too large", "tolerance 0.001", "lie within",
                           "method direct", "larger tolerance", "smaller softening"}) {
    EXPECT_NE(too_soft.find(part), std::string::npos) << too_soft;
  }
  Options direct = softened(0.1, 1e-3);
  direct.direct_pairs = 10'000'000;
  EXPECT_EQ(make({points, points}, direct)->info().method, Method::direct);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PlummerOperator,
    ::testing::Combine(::testing::Values(Method::direct, Method::treecode, Method::fmm),
                       ::testing::Values(Precision::float64, Precision::float32)),
    [](const auto& instance) {
      return std::string(fmm::to_string(std::get<0>(instance.param))) + "_" +
             std::string(fmm::to_string(std::get<1>(instance.param)));
    });

}  // namespace rankine::testing
