#include "rankine/bem/flow/known_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

/// Largest net flux into a closed domain, relative to the flux of either sign. A smaller net flux
/// is a discretization error of the data, second order in the panel size, and is removed; a larger
/// one is refused.
constexpr double most_net_flux = 1e-2;

/// Outside a body that moves as a whole, the unsteady part of the pressure would be missing without
/// notice. Inside, the same flux is that of a uniform flow, which is steady.
void refuse_motion_without_stream(const FlowProblem& problem) {
  if (problem.domain == Domain::interior) return;
  const std::optional<Vec3d> motion = common_motion(problem.panels, problem.normal_velocity);
  if (!motion) return;
  throw InputError(
      text_of("there is no stream, and normal_velocity is that of a body moving with ", *motion,
              " m/s, whose flow is not steady in this frame; give the stream ", -*motion,
              " and no normal_velocity: the same flow, in the frame of the body"));
}

/// Across a plane of zero potential the potential changes its sign, but the flux of its rate does
/// not, since it is a product of two velocities.
void refuse_rates_beside_zero_potential(const FlowProblem& problem,
                                        std::span<const Vec3d> streams) {
  if (problem.panels.symmetry.even() || !problem.has_pressure || problem.motions.empty()) return;
  for (const Vec3d& stream : streams) {
    const auto frame = common_frame(problem);
    if (frame && is_steady(*frame, stream)) continue;
    throw InputError(
        "walls move beside a plane of zero potential, and not as one body with its images: their "
        "pressure is not that of this potential; ask for added mass, or the potential alone");
  }
}

/// Walls would move relative to sources at rest, and rates are only implemented for a uniform
/// stream. The potential of vortices would have to be subtracted from a given potential, but does
/// not exist.
void check_onset(const FlowProblem& problem) {
  const Onset& onset = problem.onset;
  check(onset, problem.panels.symmetry);
  if (!onset.empty() && !problem.motions.empty()) {
    throw InputError(
        "walls move beside sources, doublets or vortices, which would change with time: give walls "
        "at rest and the stream that they see, or leave the motions out");
  }
  if (!onset.vortices.empty() && !problem.conditions.everywhere(Known::flux)) {
    throw InputError(
        "a potential is given beside vortex segments, which have a velocity and no potential of "
        "one value; give the normal velocity there, or doublets in place of closed loops");
  }
}

/// Wakes need the direct formulation, outside bodies that are at rest or rotate with their wakes
/// about an axis along the stream.
void check_wakes(const FlowProblem& problem, std::span<const Vec3d> streams) {
  if (!problem.lift) return;
  const auto frame = common_frame(problem);
  const bool steady = problem.motions.empty() ||
                      (frame && frame->velocity == Vec3d{} &&
                       std::all_of(streams.begin(), streams.end(),
                                   [&](const Vec3d& u) { return is_steady(*frame, u); }));
  const bool fits = problem.domain == Domain::exterior && steady && problem.thin.empty() &&
                    problem.onset.vortices.empty() && problem.conditions.everywhere(Known::flux);
  if (fits) return;
  throw InputError(
      "wakes are for flows outside bodies that have thickness and are at rest, or turn as one "
      "about "
      "an axis along the stream, with the flux given everywhere and without vortex segments; leave "
      "out the wakes or the rest");
}

void check_size(std::size_t found, std::size_t panels, const std::string& what) {
  if (found == 0 || found == panels) return;
  throw InputError(what + " has " + std::to_string(found) + " values where " +
                   std::to_string(panels) + " are needed; give one per panel");
}

void check_finite(const std::vector<double>& values, const std::string& what) {
  for (const double each : values) {
    if (!std::isfinite(each))
      throw InputError(what + " holds a value that is not finite; give SI units");
  }
}

void check_conditions(const FlowProblem& problem) {
  const std::size_t n = problem.panels.size();
  check_size(problem.normal_velocity.size(), n, "normal_velocity");
  check_size(problem.conditions.known.size(), n, "conditions");
  check_size(problem.potential.size(), n, "potential");
  check_size(problem.motion.size(), n, "motion");
  check_size(problem.thin.size(), n, "thin");
  check_finite(problem.normal_velocity, "normal_velocity");
  check_finite(problem.potential, "potential");
  if (problem.potential.empty() && !problem.conditions.everywhere(Known::flux))
    throw InputError("conditions ask for a potential, and none is given; give one per panel");
  const auto count = static_cast<std::int32_t>(problem.motions.size());
  if (problem.motion.empty() != problem.motions.empty() ||
      std::any_of(problem.motion.begin(), problem.motion.end(),
                  [&](std::int32_t k) { return k < 0 || k >= count; })) {
    throw InputError("motion names a motion that is not among the " + std::to_string(count) +
                     " given; give an index for every panel");
  }
}

std::vector<double> mean_onset_flux(const FlowProblem& problem) {
  return OnsetField(problem.onset, problem.panels.symmetry).mean_flux(problem.panels);
}

/// w - U.n minus the mean of v.n, which is `of_onset` if there are onset flows.
std::vector<double> flux_of(const FlowProblem& problem, const Vec3d& stream,
                            const std::vector<double>& of_onset) {
  const AlignedVector<Vec3d>& vector_area = problem.panels.vector_area.on_host();
  const AlignedVector<double>& area = problem.panels.area.on_host();
  std::vector<double> q(area.size());
  parallel_for(q.size(), [&](std::size_t i) {
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    q[i] = w - dot(stream, vector_area[i]) / area[i] - (of_onset.empty() ? 0.0 : of_onset[i]);
  });
  return q;
}

}  // namespace

void check_stream(const Panels& panels, const Vec3d& stream) {
  const auto planes = panels.symmetry.planes();
  if (planes.empty()) return require_compatible(panels.symmetry, stream);
  std::vector<meshes::SymmetryPlane> excluding;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const bool met = std::any_of(panels.halo.begin(), panels.halo.end(),
                                 [&](const HaloPanel& at) { return (at.image >> k & 1) != 0; });
    if (planes[k].sign > 0.0 || met) excluding.push_back(planes[k]);
  }
  require_compatible(meshes::Symmetry(std::move(excluding)), stream);
}

void check(const FlowProblem& problem, std::span<const Vec3d> streams) {
  const std::size_t n = problem.panels.size();
  if (n == 0) throw InputError("the problem has no panels; give a mesh with surface elements");
  if (streams.empty()) throw InputError("no stream velocity is given; give one or more");
  check_conditions(problem);
  for (const Vec3d& u : streams) {
    if (!std::isfinite(dot(u, u))) {
      throw InputError(
          "the stream velocity is not finite; give three numbers in metres per second");
    }
  }
  for (const Vec3d& u : streams) check_stream(problem.panels, u);
  check_onset(problem);
  check_wakes(problem, streams);
  refuse_rates_beside_zero_potential(problem, streams);
  const bool at_rest =
      std::any_of(streams.begin(), streams.end(), [](const Vec3d& u) { return norm(u) == 0.0; });
  if (at_rest && problem.has_pressure && problem.motions.empty())
    refuse_motion_without_stream(problem);
  if (!(problem.density > 0.0) || !std::isfinite(problem.density)) {
    throw InputError("the density is " + text_of(problem.density) +
                     "; give a positive number in kg/m^3");
  }
}

std::vector<double> flux(const FlowProblem& problem, const Vec3d& stream) {
  return flux_of(problem, stream, mean_onset_flux(problem));
}

double remove_net_flux(const FlowProblem& problem, std::span<double> flux) {
  if (!leaves_constant(problem.region(), problem.conditions)) return 0.0;
  double net = 0.0, either = 0.0, area = 0.0;
  for (std::size_t i = 0; i < flux.size(); ++i) {
    net += problem.panels.area[i] * flux[i];
    either += problem.panels.area[i] * std::abs(flux[i]);
    area += problem.panels.area[i];
  }
  if (std::abs(net) > most_net_flux * either) {
    throw InputError(
        text_of("the flux into the closed domain adds up to ", net, " m^3/s, ",
                100.0 * std::abs(net) / either,
                " % of what goes in and out: no potential has it; balance the normal velocities",
                problem.onset.sources.empty() ? "" : " and the point sources",
                ", or give the potential on a patch"));
  }
  for (double& each : flux) each -= net / area;
  return net;
}

Vec3d velocity_of_walls(const Panels& panels, std::span<const double> normal_velocity,
                        const EdgeSegment& edge) {
  if (normal_velocity.empty()) return {};
  const auto upper = static_cast<std::size_t>(edge.upper),
             lower = static_cast<std::size_t>(edge.lower);
  const Vec3d n = panels.vector_area[upper] / panels.area[upper],
              m = panels.vector_area[lower] / panels.area[lower];
  const double u = normal_velocity[upper], v = normal_velocity[lower], c = dot(n, m);
  return ((u - c * v) * n + (v - c * u) * m) / (1.0 - c * c);
}

std::vector<double> kutta_values(const FlowProblem& problem, std::span<const Vec3d> streams) {
  const SparseRows& rows = problem.lift->kutta;
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  std::vector<double> values(rows.rows(), 0.0);
  for (std::size_t s = 0; s < rows.rows(); ++s) {
    for (std::int64_t k = rows.pattern->offsets[s]; k < rows.pattern->offsets[s + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Vec3d& x = problem.panels.centroid[static_cast<std::size_t>(rows.pattern->columns[at])];
      values[s] += rows.values[at] * (dot(streams[s], x) + onset.potential(x));
    }
  }
  return values;
}

KnownValues known_values(const FlowProblem& problem, std::span<const Vec3d> streams) {
  KnownValues known;
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  const std::vector<double> of_onset = mean_onset_flux(problem);
  for (const Vec3d& stream : streams) {
    std::vector<double> q = flux_of(problem, stream, of_onset);
    known.removed_flux.push_back(remove_net_flux(problem, q));
    for (std::size_t i = 0; i < problem.conditions.known.size(); ++i) {
      if (problem.conditions.known[i] == Known::potential)
        q[i] = problem.potential[i] - onset.potential(problem.panels.centroid[i]);
    }
    if (streams.size() == 1) {
      known.values = std::move(q);
    } else {
      known.values.insert(known.values.end(), q.begin(), q.end());
    }
  }
  return known;
}

}  // namespace rankine::bem
