#include "cases/verification/onset_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "cases/verification/solve_options.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/sphere_in_onset.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"

namespace rankine::cases {
namespace {

constexpr int coarse = 1280, fine = 5120;

/// A ring around the line through the centre along x, upstream of the sphere.
std::vector<bem::VortexSegment> ring() {
  constexpr int sides = 64;
  constexpr double radius = 0.8;
  const auto corner = [](int k) {
    const double angle = 2.0 * std::numbers::pi * (k % sides) / sides;
    return Vec3d{-1.6, 0.3 + radius * std::cos(angle), radius * std::sin(angle)};
  };
  std::vector<bem::VortexSegment> segments;
  for (int k = 0; k < sides; ++k) segments.push_back({corner(k), corner(k + 1), 1.5});
  return segments;
}

struct Errors {
  double phi = 0.0, velocity = 0.0, field = 0.0;
};

/// `field`: largest error of the velocity at a few points off the surface, over the largest speed on it.
Errors errors_of(const bem::FlowProblem& given, int panels, bem::Backend& backend, int threads) {
  bem::FlowProblem problem = given;
  problem.panels = bem::make_panels(meshes::make_sphere(panels));
  const bem::Solution solution = bem::solve(problem, solve_options(threads), backend);
  const bem::OnsetField onset(problem.onset, {});
  const bem::SphereInOnset exact(
      [&](const Vec3d& x) { return problem.stream + onset.velocity(x); });
  std::vector<double> phi;
  std::vector<Vec3d> velocity, points;
  double fastest = 0.0;
  for (const Vec3d& x : problem.panels.centroid) {
    phi.push_back(exact.potential(normalized(x)));
    velocity.push_back(exact.velocity(normalized(x)));
    fastest = std::max(fastest, norm(velocity.back()));
  }
  for (const double r : {1.001, 1.05, 1.3})
    for (const Vec3d& direction : {Vec3d{0.6, 0.64, 0.48}, {-0.28, 0.0, 0.96}, {0.0, -0.8, -0.6}})
      points.push_back(r * direction);
  const bem::Field field =
      bem::evaluate_field(problem, solution, points, {.fmm = {.tolerance = 1e-8}}, backend);
  Errors errors{bem::relative_error(problem.panels.area, solution.phi, phi).l2,
                bem::relative_error(problem.panels.area, solution.velocity, velocity).l2};
  for (std::size_t i = 0; i < points.size(); ++i)
    errors.field =
        std::max(errors.field, norm(field.velocity[i] - exact.velocity(points[i])) / fastest);
  return errors;
}

/// Of the force by which a source draws a sphere, rho Q^2 a^3 / (4 pi f (f^2 - a^2)^2).
double force_error(bem::Backend& backend, int threads) {
  constexpr double f = 2.0, strength = 3.0, density = 1.2;
  const Vec3d e{0.6, 0.64, 0.48};
  const bem::FlowProblem problem{.panels = bem::make_panels(meshes::make_sphere(fine)),
                                 .stream = {},
                                 .density = density,
                                 .onset = {.sources = {{f * e, strength}}}};
  const bem::Solution solution = bem::solve(problem, solve_options(threads), backend);
  const Vec3d force = bem::pressure_loads(bem::fit_surface(problem, solution, backend)).force;
  const double exact =
      density * strength * strength / (4.0 * std::numbers::pi * f * (f * f - 1.0) * (f * f - 1.0));
  return norm(force - exact * e) / exact;
}

}  // namespace

std::vector<SuiteCheck> check_onset(bem::Backend& backend, int threads) {
  const bem::Onset source{.sources = {{{1.5, 0.4, -0.6}, 2.0}}},
      doublet{.doublets = {{{-0.5, -1.6, 0.9}, {0.7, -1.1, 0.4}}}}, vortices{.vortices = ring()},
      all{source.sources, doublet.doublets, vortices.vortices};
  std::vector<SuiteCheck> checks;
  const auto check = [&](const std::string& name, const bem::Onset& onset, const Vec3d& stream) {
    const bem::FlowProblem problem{.panels = {}, .stream = stream, .onset = onset};
    const Errors before = errors_of(problem, coarse, backend, threads),
                 after = errors_of(problem, fine, backend, threads);
    checks.push_back({"onset", name + ", potential", after.phi, 5e-4});
    checks.push_back({"onset", name + ", velocity", after.velocity, 1.5e-3});
    checks.push_back({"onset", name + ", field", after.field, 2e-3});
    checks.push_back(
        {"onset", name + ", order of the potential", std::log2(before.phi / after.phi), 1.7, true});
    checks.push_back({"onset", name + ", order of the velocity",
                      std::log2(before.velocity / after.velocity), 1.7, true});
  };
  check("source", source, {});
  check("doublet", doublet, {});
  check("vortex ring", vortices, {});
  check("all in a stream", all, {1.0, -0.4, 0.3});
  checks.push_back(
      {"onset", "force of a source on the sphere", force_error(backend, threads), 2e-3});
  return checks;
}

}  // namespace rankine::cases
