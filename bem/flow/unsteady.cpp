#include "rankine/bem/flow/unsteady.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Surface divergence of a tangential field at the points.
std::vector<double> surface_divergence(const PanelNeighbourhood& neighbourhood,
                                       std::span<const Vec3d> field) {
  std::vector<double> divergence(field.size(), 0.0);
  constexpr std::size_t chunk = 256;
  const auto patch_of_thread = [&] { return PanelPatch(neighbourhood); };
  parallel_chunks(field.size(), chunk, patch_of_thread, [&](std::size_t i, PanelPatch& patch) {
    patch.move_to(static_cast<std::int32_t>(i));
    for (int axis = 0; axis < 3; ++axis) {
      divergence[i] +=
          patch.gradient([&](std::int32_t j) { return neighbourhood.value(field, j)[axis]; })[axis];
    }
  });
  return divergence;
}

/// d/dn dphi/dt.
std::vector<double> flux_of_rate(const FlowProblem& problem, std::span<const Vec3d> normal,
                                 std::span<const Vec3d> velocity,
                                 const PanelNeighbourhood& neighbourhood) {
  std::vector<Vec3d> field(normal.size());
  parallel_for(field.size(), [&](std::size_t i) {
    const RigidMotion& motion = problem.motions[static_cast<std::size_t>(problem.motion[i])];
    const Vec3d wall = motion.at(problem.panels.centroid[i]);
    field[i] = dot(velocity[i], normal[i]) * wall - dot(wall, normal[i]) * velocity[i];
  });
  std::vector<double> flux = surface_divergence(neighbourhood, field);
  for (double& each : flux) each = -each;
  return flux;
}

/// Whether the body and its images move as one rigid body.
bool carries_images(const meshes::Symmetry& symmetry, const RigidMotion& motion) {
  constexpr double rounding = 1e-12;
  const Vec3d origin = symmetry.origin(), at_origin = motion.at(origin);
  const Vec3d& omega = motion.angular_velocity;
  for (int image = 1; image < symmetry.images(); ++image) {
    // Of the rotation: v = Omega x r, and a reflection reverses Omega.
    const double sign = symmetry.sign(image), turned = symmetry.turns(image) ? -sign : sign;
    if (norm(sign * symmetry.vector(image, at_origin) - at_origin) > rounding * norm(at_origin) ||
        norm(turned * symmetry.vector(image, omega) - omega) > rounding * norm(omega))
      return false;
  }
  return true;
}

bool same(const RigidMotion& a, const RigidMotion& b) {
  return a.angular_velocity == b.angular_velocity && a.at({}) == b.at({});
}

}  // namespace

std::optional<RigidMotion> common_frame(const FlowProblem& problem) {
  if (problem.motions.empty()) return std::nullopt;
  const RigidMotion& first = problem.motions[static_cast<std::size_t>(problem.motion.front())];
  const bool common = std::all_of(problem.motion.begin(), problem.motion.end(), [&](auto k) {
    return same(problem.motions[static_cast<std::size_t>(k)], first);
  });
  return common && carries_images(problem.panels.symmetry, first) ? std::optional(first)
                                                                  : std::nullopt;
}

void add_rate(const FlowProblem& problem, std::span<const Vec3d> normal,
              std::span<const Vec3d> velocity, const PanelNeighbourhood& neighbourhood,
              const FlowOptions& options, Backend& backend, Solution& solution,
              std::span<double> pressure) {
  if (problem.motions.empty()) return;
  const double density = problem.density;
  std::vector<double> flux;
  if (const auto frame = common_frame(problem)) {
    const Vec3d turning = cross(solution.stream, frame->angular_velocity);
    for (std::size_t i = 0; i < pressure.size(); ++i) {
      pressure[i] +=
          density * dot(frame->at(problem.panels.centroid[i]), velocity[i] - solution.stream);
      flux.push_back(-dot(turning, problem.panels.vector_area[i]) / problem.panels.area[i]);
    }
    if (is_steady(*frame, solution.stream)) return;
  } else {
    flux = flux_of_rate(problem, normal, velocity, neighbourhood);
  }
  remove_net_flux(problem, flux);
  for (std::size_t i = 0; i < flux.size(); ++i) {  // given potentials do not change
    if (problem.conditions.at(i) == Known::potential) flux[i] = 0.0;
  }
  FlowOptions again = options;
  again.initial_guess.clear();
  auto solved = std::make_shared<RegionSolution>(std::move(
      solve({problem.region(), problem.conditions, std::move(flux)}, again, backend).front()));
  if (!solved->complete()) throw Stopped("interrupted while the rate of the potential was sought");
  SurfaceGradient surface = backend.gradient(neighbourhood, solved->phi);
  set_slopes(solved->edge_slopes, surface);
  for (std::size_t i = 0; i < pressure.size(); ++i)
    surface.gradient[i] += solved->flux[i] * surface.normal[i];
  solved->gradient = std::move(surface.gradient);
  for (std::size_t i = 0; i < pressure.size(); ++i) pressure[i] -= density * solved->phi[i];
  if (!solved->converged()) solution.gmres.status = solved->gmres.status;
  solution.rate = std::move(solved);
}

}  // namespace rankine::bem
