// Points and strengths for both interfaces, C and C++, on the same arrays.
#pragma once

#include <rankine/fmm.h>

#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::testing {

struct CProblem {
  std::vector<Vec3d> sources, targets, normals;  ///< no targets: the sources
  std::vector<double> core_radii;
  std::vector<double> charges, normal_dipoles, dipoles, vortices;
  int rhs = 1;

  CProblem(std::size_t n, bool own_targets, int right_hand_sides, bool vortex = false)
      : sources(fmm::make_points("cube", n, 1)), rhs(right_hand_sides) {
    if (own_targets) targets = fmm::make_points("sphere", n / 2, 2);
    const std::size_t all = n * static_cast<std::size_t>(rhs);
    if (vortex) {
      core_radii.assign(n, 0.05);
      vortices = fmm::make_strengths(3 * all, 6);
      return;
    }
    for (const Vec3d& x : fmm::make_points("sphere", n, 3)) normals.push_back(normalized(x));
    charges = fmm::make_strengths(all, 4);
    normal_dipoles = fmm::make_strengths(all, 5);
    dipoles = fmm::make_strengths(3 * all, 6);
  }

  /// The same problem with the strengths of other kernels than Laplace: charges alone, or vortices.
  CProblem of_kernel() const {
    CProblem problem = *this;
    problem.normals.clear();
    problem.normal_dipoles.clear();
    problem.dipoles.clear();
    return problem;
  }

  bool vortex() const { return !vortices.empty(); }
  std::size_t target_count() const { return targets.empty() ? sources.size() : targets.size(); }

  void shift(double by) {
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i].x += by * sources[i].y;
    for (Vec3d& x : targets) x.z += by * x.x;
  }

  fmm::Points points() const {
    const std::span<const Vec3d> own = targets;
    return {.sources = sources,
            .targets = targets.empty() ? std::span<const Vec3d>(sources) : own,
            .normals = normals,
            .core_radii = core_radii};
  }
  fmm::Strengths strengths() const {
    return {.charges = charges,
            .normal_dipoles = normal_dipoles,
            .dipoles = dipoles,
            .vortices = vortices};
  }

  rankine_fmm_points c_points() const {
    const auto doubles = [](const std::vector<Vec3d>& v) { return v.empty() ? nullptr : &v[0].x; };
    return {.source_count = static_cast<std::int64_t>(sources.size()),
            .target_count = static_cast<std::int64_t>(targets.size()),
            .sources = doubles(sources),
            .targets = doubles(targets),
            .normals = doubles(normals),
            .core_radii = core_radii.empty() ? nullptr : core_radii.data()};
  }
  rankine_fmm_strengths c_strengths() const {
    const auto given = [](const std::vector<double>& v) { return v.empty() ? nullptr : v.data(); };
    return {.charges = given(charges),
            .normal_dipoles = given(normal_dipoles),
            .dipoles = given(dipoles),
            .vortices = given(vortices)};
  }
};

/// All results of a problem's kernel.
struct Sums {
  std::vector<double> potential, gradient, hessian, velocity, velocity_gradient;

  explicit Sums(const CProblem& problem) {
    const std::size_t n = problem.target_count() * static_cast<std::size_t>(problem.rhs);
    if (problem.vortex()) {
      velocity.resize(3 * n);
      velocity_gradient.resize(9 * n);
      return;
    }
    potential.resize(n);
    gradient.resize(3 * n);
    if (!problem.dipoles.empty()) hessian.resize(6 * n);
  }

  bool operator==(const Sums&) const = default;

  fmm::Results results() {
    return {.potential = potential,
            .gradient = gradient,
            .hessian = hessian,
            .velocity = velocity,
            .velocity_gradient = velocity_gradient};
  }
  rankine_fmm_results c_results() {
    const auto wanted = [](std::vector<double>& v) { return v.empty() ? nullptr : v.data(); };
    return {.potential = wanted(potential),
            .gradient = wanted(gradient),
            .hessian = wanted(hessian),
            .velocity = wanted(velocity),
            .velocity_gradient = wanted(velocity_gradient)};
  }
};

}  // namespace rankine::testing
