#include "cases/verification/flow_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/bem/flow/two_spheres.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/shapes/sphere_meshes.hpp"

namespace rankine::cases {
namespace {

const Vec3d stream{0.6, -0.5, 0.62};

/// A body whose flow is known, with the limits of its relative L2 errors at 8000 panels and the least order
/// of both.
struct Body {
  std::string name;
  std::function<meshes::SurfaceMesh(std::int64_t)> mesh;
  std::function<bem::SurfaceState(const Vec3d&)> exact;
  double potential, velocity, order;
};

using MakeSphere = meshes::SurfaceMesh (*)(std::int64_t);

Body ellipsoid(const std::string& name, MakeSphere sphere, const Vec3d& axes, double potential,
               double velocity) {
  const bem::EllipsoidFlow flow(axes, stream);
  return {name,
          [=](std::int64_t panels) { return meshes::stretched(sphere(panels), axes); },
          [=](const Vec3d& x) { return flow.on_surface(x); },
          potential,
          velocity,
          1.4};
}

/// Unit spheres so far apart. Where the gap is much narrower than panels, errors fall faster than they will.
Body spheres(double gap, double potential, double velocity) {
  const Vec3d away{1.0 + 0.5 * gap, 0.0, 0.0};
  const bem::TwoSpheresFlow flow(1.0, away.x, {1.0, 0.0, 0.0}, stream);
  const auto mesh = [=](std::int64_t panels) {
    const meshes::SurfaceMesh sphere = meshes::make_jittered_sphere(panels / 2);
    return meshes::joined(meshes::moved(sphere, -away), meshes::moved(sphere, away));
  };
  return {fmt::format("two spheres {} apart", gap),
          mesh,
          [=](const Vec3d& x) { return flow.on_surface(x); },
          potential,
          velocity,
          1.2};
}

std::vector<Body> bodies() {
  const MakeSphere geodesic = [](std::int64_t panels) { return meshes::make_sphere(panels); };
  return {ellipsoid("sphere, no pattern", meshes::make_jittered_sphere, {1, 1, 1}, 1.2e-4, 1.2e-4),
          ellipsoid("sphere, graded", meshes::make_graded_sphere, {1, 1, 1}, 1.2e-4, 5e-5),
          ellipsoid("sphere, quadrilaterals", meshes::make_cubed_sphere, {1, 1, 1}, 1e-4, 1.5e-4),
          ellipsoid("3:2:1, no pattern", meshes::make_jittered_sphere, {3, 2, 1}, 1.2e-4, 8e-4),
          ellipsoid("5:1:1, stretched", geodesic, {5, 1, 1}, 2e-4, 6e-4),
          ellipsoid("1:1:0.2, no pattern", meshes::make_jittered_sphere, {1, 1, 0.2}, 7e-4, 3.5e-3),
          spheres(0.1, 2.5e-4, 5e-4),
          spheres(0.01, 2.5e-3, 1e-2)};
}

struct Trial {
  bem::SurfaceErrors errors;
  bem::ErrorFigures estimate;
  double panels;
};

Trial try_flow(const Body& body, std::int64_t panels, bem::Backend& backend, int threads) {
  bem::FlowProblem problem{.panels = bem::make_panels(body.mesh(panels)), .stream = stream};
  bem::FlowOptions options;
  options.fmm.threads = threads;
  const bem::Solution solution = bem::solve(problem, options, backend);
  return {bem::surface_errors(problem, solution, body.exact),
          bem::estimate_errors(problem, solution, bem::fit_surface(problem, solution, backend), {},
                               {}, backend)
              .figures,
          static_cast<double>(problem.panels.size())};
}

double off_by(double estimate, double error) {
  return std::max(estimate / error, error / estimate);
}

}  // namespace

std::vector<SuiteCheck> check_flows(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  for (const Body& body : bodies()) {
    const Trial coarse = try_flow(body, 2000, backend, threads),
                fine = try_flow(body, 8000, backend, threads);
    const auto quantity = [&](const std::string& name, bem::FieldError bem::SurfaceErrors::*member,
                              double limit) {
      const double before = (coarse.errors.*member).l2, after = (fine.errors.*member).l2;
      checks.push_back(
          {body.name, fmt::format("{}, {:.0f} panels", name, fine.panels), after, limit});
      checks.push_back({body.name, name + ", order",
                        2.0 * std::log(before / after) / std::log(fine.panels / coarse.panels),
                        body.order, true});
    };
    quantity("potential", &bem::SurfaceErrors::phi, body.potential);
    quantity("velocity", &bem::SurfaceErrors::velocity, body.velocity);
    double worst = 0.0;
    for (const Trial* trial : {&coarse, &fine}) {
      for (const double each : {off_by(trial->estimate.velocity.l2, trial->errors.velocity.l2),
                                off_by(trial->estimate.velocity.max, trial->errors.velocity.max),
                                off_by(trial->estimate.potential.l2, trial->errors.phi.l2)})
        worst = std::max(worst, each);
    }
    checks.push_back(
        {body.name, "estimated over true errors, the worst, or its inverse", worst, 3.0});
  }
  return checks;
}

}  // namespace rankine::cases
