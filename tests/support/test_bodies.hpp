// Bodies and small helpers shared by the tests of bem.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::testing {

inline Vec3d random_point(std::mt19937& generator, double half_width) {
  std::uniform_real_distribution<double> uniform(-half_width, half_width);
  return {uniform(generator), uniform(generator), uniform(generator)};
}

/// Nearly uniform points on the unit sphere.
inline std::vector<Vec3d> fibonacci_sphere(int count) {
  std::vector<Vec3d> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1.0 - 2.0 * (k + 0.5) / count, angle = 2.399963229728653 * k;
    const double r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return points;
}

enum class Given { flux, potential, halves };

/// `halves`: the potential on the one that `towards` points at, else the flux.
inline bem::BoundaryConditions conditions(const bem::Panels& panels, Given given,
                                          const Vec3d& towards = {0, 0, 1}) {
  bem::BoundaryConditions result;
  for (const Vec3d& x : panels.centroid) {
    const bool potential =
        given == Given::potential || (given == Given::halves && dot(x, towards) > 0.0);
    result.known.push_back(potential ? bem::Known::potential : bem::Known::flux);
  }
  return result;
}

/// Errors of the solver far below those of the panels.
inline bem::FlowOptions tight(bem::Formulation formulation = bem::Formulation::green,
                              double tolerance = 1e-6) {
  bem::FlowOptions options;
  options.formulation = formulation;
  options.gmres.tolerance = options.fmm.tolerance = tolerance;
  return options;
}

/// Added-mass coefficient along the stream.
inline double added_mass_coefficient(const bem::FlowProblem& problem,
                                     const bem::Solution& solution) {
  const Vec3d u = solution.stream;
  return dot(added_mass_velocity(problem, fit_surface(problem, solution)), u) / dot(u, u);
}

/// Observed order between two levels whose panel numbers have the given ratio (sizes shrink like
/// its root).
inline double order(double coarse, double fine, double panel_ratio = 4.0) {
  return 2.0 * std::log(coarse / fine) / std::log(panel_ratio);
}

}  // namespace rankine::testing
