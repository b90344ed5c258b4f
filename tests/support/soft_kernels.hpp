// The promises that softened gravity and vortices with cores share: the tolerance against plain
// loops, pairs far within the softening, and moving points. Included by plummer_contract.hpp and
// vortex_contract.hpp.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "rankine/fmm/core/bounding_box.hpp"
#include "tests/support/operator_contract.hpp"

namespace rankine::testing {

/// Longest edge of the points' bounding box.
inline double extent_of(const std::vector<Vec3d>& points) { return bounding_box(points).longest(); }

/// Sums of a plain loop in metres, with the functions of the standard library, and the sums of the
/// squares of the same terms.
struct PlainSums {
  Field exact, squares;

  void add(std::vector<double> Field::*part, std::size_t at, double term) {
    (exact.*part)[at] += term;
    (squares.*part)[at] += term * term;
  }
};

/// Of charges q and dipole moments d, either possibly empty.
inline PlainSums softened_sums(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to,
                               const std::vector<double>& q, const std::vector<double>& d,
                               double eps) {
  const Field zeros{std::vector<double>(to.size()), std::vector<double>(3 * to.size()),
                    std::vector<double>(6 * to.size())};
  PlainSums sums{zeros, zeros};
  parallel_for(to.size(), [&](std::size_t i) {
    for (std::size_t j = 0; j < from.size(); ++j) {
      const Vec3d r = to[i] - from[j];
      if (r == Vec3d{}) continue;
      const double s2 = dot(r, r) + eps * eps, s = std::sqrt(s2), s3 = s2 * s, s5 = s3 * s2;
      const double charge = q.empty() ? 0.0 : q[j];
      const Vec3d mu = d.empty() ? Vec3d{} : Vec3d{d[3 * j], d[3 * j + 1], d[3 * j + 2]};
      const double mr = dot(mu, r);
      sums.add(&Field::potential, i, charge / s + mr / s3);
      for (int a = 0; a < 3; ++a) {
        sums.add(&Field::gradient, 3 * i + a,
                 -charge * r[a] / s3 + mu[a] / s3 - 3.0 * mr * r[a] / s5);
      }
      std::size_t at = 6 * i;
      for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b) {
          const double same = a == b ? 1.0 : 0.0;
          sums.add(&Field::hessian, at++,
                   charge * (3.0 * r[a] * r[b] / s5 - same / s3) -
                       3.0 * (mu[a] * r[b] + mu[b] * r[a] + mr * same) / s5 +
                       15.0 * mr * r[a] * r[b] / (s5 * s2));
        }
      }
    }
  });
  return sums;
}

/// q and rho q' of a core.
inline std::array<double, 2> plain_core(fmm::Kernel kernel, double rho) {
  if (rho > 30.0) return {1.0, 0.0};
  if (kernel == fmm::Kernel::vortex_exponential) {
    const double t = rho * rho * rho;
    return {-std::expm1(-t), 3.0 * t * std::exp(-t)};
  }
  const double c = std::sqrt(2.0 / std::numbers::pi), e = c * std::exp(-0.5 * rho * rho);
  return {std::erf(rho / std::numbers::sqrt2) - e * rho, e * rho * rho * rho};
}

inline PlainSums vortex_sums(fmm::Kernel kernel, const std::vector<Vec3d>& from,
                             const std::vector<Vec3d>& to, const std::vector<double>& vortices,
                             const std::vector<double>& sigma) {
  const Field zeros{
      {}, {}, {}, std::vector<double>(3 * to.size()), std::vector<double>(9 * to.size())};
  PlainSums sums{zeros, zeros};
  parallel_for(to.size(), [&](std::size_t i) {
    for (std::size_t j = 0; j < from.size(); ++j) {
      const Vec3d r = to[i] - from[j];
      const double d2 = dot(r, r), d = std::sqrt(d2), d3 = d2 * d;
      if (d == 0.0) continue;
      const auto [q, rise] = plain_core(kernel, d / sigma[j]);
      const Vec3d gamma{vortices[3 * j], vortices[3 * j + 1], vortices[3 * j + 2]};
      const Vec3d across = cross(gamma, r);
      for (int a = 0; a < 3; ++a) {
        sums.add(&Field::velocity, 3 * i + a, q * across[a] / d3);
        for (int b = 0; b < 3; ++b) {
          Vec3d e;
          e[b] = 1.0;
          sums.add(&Field::velocity_gradient, 9 * i + 3 * a + b,
                   q * cross(gamma, e)[a] / d3 + (rise - 3.0 * q) * across[a] * r[b] / (d3 * d2));
        }
      }
    }
  });
  return sums;
}

/// Points that move along straight lines, each by a tenth of its neighbour's distance per step, and
/// a length that is small compared with these distances.
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
    const auto direction = make_strengths(3 * n, 2);
    for (std::size_t i = 0; i < n; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) nearest = std::min(nearest, norm(drift.points[j] - drift.points[i]));
      }
      drift.step[i] =
          0.1 * nearest * Vec3d{direction[3 * i], direction[3 * i + 1], direction[3 * i + 2]};
    }
    all.emplace_back(name, std::move(drift));
  }
  return all;
}

class SoftKernelOperator : public EveryOperator {
 protected:
  explicit SoftKernelOperator(fmm::Kernel kernel) : kernel_(kernel) {}

  void SetUp() override {
    EveryOperator::SetUp();
    if (backend_ && !backend_->has(kernel_)) GTEST_SKIP() << "no such kernel here";
  }

  bool vortices() const { return fmm::is_vortex(kernel_); }

  /// `length`: the softening. Core radii of vortices come with the points.
  Options soft(double length, double tolerance) const {
    Options result = contract_options(tolerance, method(), std::get<1>(GetParam()));
    result.kernel = kernel_;
    result.leaf_capacity = 25;  // no leaf is closer than the softening reaches
    result.dipoles = result.hessian = vortices();
    if (!vortices()) result.softening = length;
    return result;
  }

  /// Core radii between a tenth of `most` and `most`; none for softened gravity.
  std::vector<double> radii(std::size_t count, double most) const {
    if (!vortices()) return {};
    std::vector<double> result = make_strengths(count, 8);
    for (double& each : result) each = most * (0.55 + 0.45 * each);
    return result;
  }

  HostStrengths strengths_from(std::vector<double> values, bool dipoles = false) const {
    if (vortices()) return {.vortices = std::move(values)};
    if (dipoles) return {.dipoles = std::move(values)};
    return {.charges = std::move(values)};
  }

  PlainSums plain_sums(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to,
                       const HostStrengths& given, const Options& options,
                       const std::vector<double>& sigma) const {
    if (vortices()) return vortex_sums(options.kernel, from, to, given.vortices, sigma);
    return softened_sums(from, to, given.charges, given.dipoles, options.softening);
  }

  /// Of the first targets, those of `sums`.
  static void expect_promise(const Field& found, const PlainSums& sums, double tolerance,
                             const std::string& what) {
    const auto check = [&](std::vector<double> Field::*part, const char* of) {
      const std::vector<double>&values = found.*part, &exact = sums.exact.*part,
            &squares = sums.squares.*part;
      double error = 0.0, size = 0.0;
      for (std::size_t i = 0; !values.empty() && i < exact.size(); ++i) {
        error += std::pow(values[i] - exact[i], 2);
        size += exact[i] * exact[i];
      }
      const double terms = std::accumulate(squares.begin(), squares.end(), 0.0);
      EXPECT_LE(std::sqrt(error), tolerance * std::sqrt(std::max(size, terms)))
          << what << ", " << of;
    };
    check(&Field::potential, "potential");
    check(&Field::gradient, "gradient");
    check(&Field::hessian, "second derivatives");
    check(&Field::velocity, "velocity");
    check(&Field::velocity_gradient, "gradient of the velocity");
  }

  /// Random twice, all equal, of alternating sign, of opposite sign on both sides and, of vectors,
  /// around the z axis.
  static std::vector<std::vector<double>> strengths_of(const std::vector<Vec3d>& from,
                                                       bool vectors) {
    const std::size_t count = (vectors ? 3 : 1) * from.size();
    std::vector<std::vector<double>> all = {make_strengths(count, 5), make_strengths(count, 6)};
    all.resize(vectors ? 6 : 5);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double alternating = i % 2 == 0 ? 1.0 : -1.0, side = from[i].x < 0.5 ? 1.0 : -1.0;
      const auto add = [&](std::size_t k, const Vec3d& value) {
        if (vectors) all[k].insert(all[k].end(), {value.x, value.y});
        all[k].push_back(value.z);
      };
      add(2, {0.3, -0.2, 1.0});
      add(3, {alternating, 0.5 * alternating, -alternating});
      add(4, {side, 0.0, -side});
      if (vectors) add(5, {-from[i].y, from[i].x, 0.0});
    }
    return all;
  }

  /// The softening or the largest core radius is `length` of the points' extent. Methods and
  /// precisions share the plain sums.
  void expect_kept(const std::string& name, double length, Options options, bool dipoles = false) {
    static std::map<std::tuple<std::string, double, fmm::Kernel, bool>, std::vector<PlainSums>> all;
    std::vector<PlainSums>& sums = all[{name, length, options.kernel, dipoles}];
    const auto from = make_points(name, n, 1), to = make_points(name, n / 16, 2);
    const auto sigma = radii(n, length * extent_of(from));
    if (!vortices()) {
      options.softening = length * extent_of(from);
      options.dipoles = dipoles;
    }
    const auto op = make({from, to, {}, sigma}, options);
    EXPECT_EQ(op->info().kernel, options.kernel);
    std::size_t draw = 0;
    for (auto& values : strengths_of(from, vortices() || dipoles)) {
      const HostStrengths given = strengths_from(std::move(values), dipoles);
      if (draw == sums.size()) sums.push_back(plain_sums(from, to, given, options, sigma));
      expect_promise(backend_->apply(*op, given, options.hessian ? 2 : 1), sums[draw],
                     op->info().kept_tolerance,
                     name + ", length " + std::to_string(length) + ", strengths " +
                         std::to_string(draw) + ", tolerance " + std::to_string(options.tolerance));
      ++draw;
    }
  }

  /// Pairs at distances that float does not resolve in their leaves, far within the softening or
  /// the cores, and coincident points, which contribute nothing. A quarter of the targets is
  /// enough. Methods and precisions share the plain sums.
  void expect_near_pairs(double length, const std::vector<double>& gaps) {
    const Options given = soft(length, 1e-3);
    const HostStrengths some = strengths_from(make_strengths((vortices() ? 3 : 1) * n, 2));
    static std::map<std::pair<fmm::Kernel, double>, PlainSums> all;
    for (const double gap : gaps) {
      auto points = make_points("cube", n, 1);
      for (std::size_t i = 0; i + 1 < n; i += 2) {
        points[i + 1] = points[i];
        points[i + 1].x += gap;
      }
      const auto sigma = radii(n, length);
      const std::vector<Vec3d> first(points.begin(), points.begin() + n / 4);
      const auto [at, is_new] = all.try_emplace({kernel_, gap});
      if (is_new) at->second = plain_sums(points, first, some, given, sigma);
      expect_promise(sum({points, points, {}, sigma}, given, some, vortices() ? 2 : 1), at->second,
                     given.tolerance, "gap " + std::to_string(gap));
    }
  }

  /// Moved in small steps, the operator equals a new one bit for bit at every step. Cores grow.
  void expect_moves_as_a_new_one() {
    constexpr std::size_t few = 60;
    const HostStrengths some = strengths_from(make_strengths((vortices() ? 3 : 1) * few, 3));
    const int derivatives = vortices() ? 2 : 1;
    for (auto& [name, drift] : drifts(few)) {
      Options given = soft(drift.small, 1e-2);
      given.leaf_capacity = 4;
      given.execution.threads = 1;  // threads would wait for each other
      const auto moved = make({drift.points, drift.points, {}, radii(few, drift.small)}, given);
      given.order = moved->info().order;
      if (method() != Method::direct) {
        EXPECT_LT(moved->info().near_pairs, std::int64_t{few * few}) << "no expansions";
      }
      for (int step = 1; step <= 40; ++step) {
        drift.advance();
        const auto sigma = radii(few, (1.0 + 0.01 * step) * drift.small);
        const Points points{drift.points, drift.points, {}, sigma};
        moved->move(points);
        const Field found = backend_->apply(*moved, some, derivatives),
                    fresh = sum(points, given, some, derivatives);
        for (const auto part :
             {&Field::potential, &Field::gradient, &Field::velocity, &Field::velocity_gradient})
          ASSERT_EQ(found.*part, fresh.*part) << name << ", step " << step;
      }
    }
  }

  fmm::Kernel kernel_;
};

}  // namespace rankine::testing
