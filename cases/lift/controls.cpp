#include "cases/lift/controls.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

std::vector<std::vector<double>> control_velocities(const Case& flow_case,
                                                    const meshes::SurfaceMesh& mesh,
                                                    const bem::FlowProblem& problem) {
  const bem::Panels& panels = problem.panels;
  std::vector<std::vector<double>> all;
  for (const ControlInput& control : flow_case.lift.controls) {
    std::vector<double>& w = all.emplace_back(panels.size(), 0.0);
    const Vec3d from = control.hinge[0], along = control.hinge[1] - from,
                wall = cross(along / norm(along), problem.stream);
    const Vec3d across{0.0, along.y, along.z};  // projection along x
    bool found = false;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      if (mesh.patch_names[static_cast<std::size_t>(mesh.patch[i])] != control.patch) continue;
      const Vec3d x = panels.centroid[i] - from;
      const double place = dot(x, across) / dot(across, across);
      if (place < 0.0 || place > 1.0 || x.x < place * along.x) continue;
      w[i] = dot(wall, panels.vector_area[i]) / panels.area[i];
      found = true;
    }
    if (found) continue;
    throw InputError(fmt::format(
        "{}: patch \"{}\" has no panel aft of the hinge of \"{}\" and between its ends; give "
        "another hinge",
        control.where, control.patch, control.name));
  }
  return all;
}

void deflect_controls(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                      bem::FlowProblem& problem, Log& log) {
  const std::vector<ControlInput>& controls = flow_case.lift.controls;
  if (controls.empty()) return;
  const std::vector<std::vector<double>> velocities = control_velocities(flow_case, mesh, problem);
  problem.normal_velocity.assign(problem.panels.size(), 0.0);
  for (std::size_t c = 0; c < controls.size(); ++c) {
    const double degrees = controls[c].deflection;
    log.fact(c == 0 ? "controls" : "", fmt::format("{} {:.6g} degrees", controls[c].name, degrees));
    for (std::size_t i = 0; i < velocities[c].size(); ++i)
      problem.normal_velocity[i] += degrees * std::numbers::pi / 180.0 * velocities[c][i];
    constexpr double small = 15.0;  // degrees; an angle and its sine differ by one per cent
    if (std::abs(degrees) > small)
      log.warning(fmt::format(
          "control \"{}\" is deflected by {:.4g} degrees: transpiration is that of a small angle, "
          "and beyond {:.0f} degrees errs by more than one per cent",
          controls[c].name, degrees, small));
  }
}

}  // namespace rankine::cases
