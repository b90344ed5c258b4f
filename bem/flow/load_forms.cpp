#include "rankine/bem/flow/load_forms.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/bem/panels/rigid_motion.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// A unit motion, or a control surface of unit strength, and quantities computed from its
/// potential.
struct Mode {
  std::size_t index;
  RigidMotion motion;
  std::span<const double> control;  ///< w at the points, m/s; empty: a motion
  std::vector<Vec3d> wall;          ///< m_k at the points, m/s
  std::vector<Vec3d> velocity;      ///< u_k there, m/s
  std::vector<double> circulation;  ///< of the segments, m^2/s
  double induced_drag = 0.0;        ///< of these, N
  std::vector<Vec3d> of_images{};   ///< on the wakes for which the flow is solved, m/s
};

/// The total potential of a motion has the parity of the planes: a wall allows translations along
/// it and the rotation about its normal, a plane of zero potential the other motions.
bool allows(const meshes::SymmetryPlane& plane, std::size_t motion) {
  const bool turns = motion >= 3, about_normal = static_cast<int>(motion % 3) == plane.axis;
  return about_normal == (turns == (plane.sign > 0.0));
}

RigidMotion unit_motion(std::size_t index, const Vec3d& centre) {
  RigidMotion motion{.centre = centre};
  (index < 3 ? motion.velocity : motion.angular_velocity)[static_cast<int>(index % 3)] = 1.0;
  return motion;
}

std::vector<Mode> allowed_modes(const Panels& panels, const Vec3d& centre,
                                std::span<const std::vector<double>> controls) {
  require_planes(panels.symmetry, "a wing with derivatives");
  std::vector<Mode> modes;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto planes = panels.symmetry.planes();
    if (std::all_of(planes.begin(), planes.end(),
                    [&](const meshes::SymmetryPlane& plane) { return allows(plane, k); }))
      modes.push_back({k, unit_motion(k, centre), {}, {}, {}, {}});
  }
  for (const std::vector<double>& w : controls)
    modes.push_back({6 + static_cast<std::size_t>(&w - controls.data()), {}, w, {}, {}, {}});
  return modes;
}

/// A body, and the scaled body for which its flow is solved (bem/flow/goethert.hpp).
struct LiftingBodies {
  const FlowProblem& problem;
  const EquivalentFlow* equivalent;  ///< null: the fluid is incompressible

  const FlowProblem& solved() const { return equivalent ? equivalent->problem : problem; }
  Vec3d stretched(const Vec3d& v) const { return equivalent ? equivalent->rule.stretched(v) : v; }
  /// b^2
  double scale() const {
    return equivalent ? equivalent->rule.beta() * equivalent->rule.beta() : 1.0;
  }
};

/// The stream relative to every segment of the edge.
std::vector<Vec3d> streams_at_edges(const LiftingBodies& bodies, const Mode& mode) {
  std::vector<Vec3d> streams;
  for (std::size_t s = 0; s < bodies.problem.lift->segments.size(); ++s)
    streams.push_back(
        -bodies.stretched(mode.motion.at(bodies.problem.lift->sources.point[s])) -
        velocity_of_walls(bodies.solved().panels, mode.control, bodies.solved().lift->segments[s]));
  return streams;
}

void check(const FlowProblem& problem, bool has_controls) {
  if (!problem.lift)
    throw InputError("loads as forms of the motion need wakes; give the problem trailing edges");
  const bool walls =
      has_controls || std::all_of(problem.normal_velocity.begin(), problem.normal_velocity.end(),
                                  [](double w) { return w == 0.0; });
  if (!walls || !problem.onset.empty() || !problem.conditions.everywhere(Known::flux)) {
    throw InputError(
        "loads are forms of the motion for walls that let no fluid through, in a uniform stream; "
        "leave out normal velocities, potentials and the onset flow, or the forms");
  }
}

/// Velocities on the body for which the flow is solved, and circulations of the actual body.
void solve_modes(const LiftingBodies& bodies, std::span<Mode> modes, ImageLoadOnLines& images,
                 const FlowOptions& options, Backend& backend, LoadForms& forms) {
  const FlowProblem& problem = bodies.solved();
  const Panels &panels = problem.panels, &body = bodies.problem.panels;
  const std::size_t n = panels.size();
  const std::vector<Vec3d> moments = moments_of_area(body);
  RegionProblem region{problem.region(), problem.conditions, {}, modes.size()};
  region.sheet_rows = &problem.lift->kutta;
  for (const Mode& mode : modes) {
    for (std::size_t i = 0; i < n; ++i)
      region.known.push_back(mode.control.empty()
                                 ? bodies.scale() *
                                       swept_volume(mode.motion, body.vector_area[i], moments[i]) /
                                       panels.area[i]
                                 : mode.control[i]);
    const std::vector<double> of_edges = kutta_values(problem, streams_at_edges(bodies, mode));
    region.sheet_known.insert(region.sheet_known.end(), of_edges.begin(), of_edges.end());
  }
  // Sums for several motions take most of the time, and in float half of it.
  FlowOptions cheaper = options;
  cheaper.mixed_precision = options.mixed_precision ||
                            (options.fmm.precision == fmm::Precision::float64 &&
                             options.relaxation == Relaxation::automatic && !options.gmres.method);
  std::vector<RegionSolution> solutions = solve(std::move(region), cheaper, backend);
  const PanelNeighbourhood neighbourhood(panels);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    throw_if_stopped();
    Mode& mode = modes[k];
    SurfaceGradient surface = backend.gradient(neighbourhood, solutions[k].phi);
    set_slopes(solutions[k].edge_slopes, surface);
    mode.wall.resize(n);
    mode.velocity.resize(n);
    parallel_for(n, [&](std::size_t i) {
      const Vec3d wall = bodies.stretched(mode.motion.at(body.centroid[i])),
                  normal = surface.normal[i];
      mode.wall[i] = wall;
      mode.velocity[i] = surface.gradient[i] - (wall - dot(wall, normal) * normal);
      if (!mode.control.empty()) mode.velocity[i] += mode.control[i] * normal;
    });
    if (!images.vanishes()) mode.of_images = images.velocity(solutions[k]);
    mode.circulation = std::move(solutions[k].sheets);
    for (double& each : mode.circulation) each /= bodies.scale();
    mode.induced_drag = induced_drag(body, *bodies.problem.lift, mode.circulation,
                                     bodies.problem.density);
    forms.gmres.push_back(solutions[k].gmres);
  }
}

/// Sets the entries of a pair of motions.
void set(QuadraticForm& form, const Mode& a, const Mode& b, double value) {
  form.entry[a.index][b.index] = form.entry[b.index][a.index] = value;
}

/// Two modes. Their pressure has the factor a_k a_l.
struct Pair {
  const Mode &a, &b;
};

/// The pressures of some pairs, of which at most two are fitted together.
class PairPressures {
 public:
  PairPressures(const LiftingBodies& bodies, const PanelNeighbourhood& around, const Vec3d& centre,
                Backend& backend)
      : bodies_(bodies), around_(around), centre_(centre), backend_(backend) {}

  void add(std::span<const Pair> pairs, LoadForms& forms) {
    for (std::size_t k = 0; k < pairs.size(); ++k) find(pairs[k], values_[k]);
    const PanelFits fits = backend_.fit(
        around_, {values_[0], pairs.size() > 1 ? std::span<const double>(values_[1])
                                               : std::span<const double>(),
                  {}});
    set_loads(pairs[0], fits.of_values, forms);
    if (pairs.size() > 1) set_loads(pairs[1], fits.of_potential, forms);
  }

 private:
  void find(const Pair& pair, std::vector<double>& pressure) const {
    const auto& [a, b] = pair;
    pressure.resize(bodies_.problem.panels.size());
    parallel_for(pressure.size(), [&](std::size_t i) {
      pressure[i] = 0.5 * bodies_.problem.density / bodies_.scale() *
                    (dot(a.wall[i], b.wall[i]) - dot(a.velocity[i], b.velocity[i]));
    });
  }
  void set_loads(const Pair& pair, std::span<const SurfaceIntegral> of_panels,
                 LoadForms& forms) const {
    const SurfaceIntegral sum = sum_of(of_panels);
    const Vec3d force = -sum.normal, moment = -sum.moment_about(centre_);
    for (int axis = 0; axis < 3; ++axis) {
      set(forms.force[static_cast<std::size_t>(axis)], pair.a, pair.b, force[axis]);
      set(forms.moment[static_cast<std::size_t>(axis)], pair.a, pair.b, moment[axis]);
    }
  }

  const LiftingBodies& bodies_;
  const PanelNeighbourhood& around_;
  Vec3d centre_;
  Backend& backend_;
  std::array<std::vector<double>, 2> values_;
};

/// Forces are bilinear in stream and circulation, the induced drag is quadratic in circulation.
/// Relaxed wakes do not carry the force of images above or below; it moves their vortices, so their
/// load in the Trefftz plane includes it.
void add_far_loads(const LiftingBodies& bodies, const ImageLoadOnLines& images, const Mode& a,
                   const Mode& b, LoadForms& forms) {
  const FlowProblem& problem = bodies.problem;
  const auto force_of = [&](const Mode& circulating, const Mode& moving) {
    return trefftz_force(*problem.lift, circulating.circulation, -moving.motion.velocity,
                         problem.density);
  };
  Vec3d force = 0.5 * (force_of(a, b) + force_of(b, a));
  if (!images.vanishes()) {
    // Circulations of the scaled body are b^2 times larger, and F = S F' / b^4.
    force += 0.5 / bodies.scale() *
             bodies.stretched(images.force(a.of_images, b.circulation) +
                              images.force(b.of_images, a.circulation));
  }
  for (int axis = 0; axis < 3; ++axis)
    set(forms.far_force[static_cast<std::size_t>(axis)], a, b, force[axis]);
  if (a.index == b.index) {
    set(forms.induced_drag, a, b, a.induced_drag);
    return;
  }
  std::vector<double> both = a.circulation;
  for (std::size_t s = 0; s < both.size(); ++s) both[s] += b.circulation[s];
  const double of_both = induced_drag(problem.panels, *problem.lift, both, problem.density);
  set(forms.induced_drag, a, b, 0.5 * (of_both - a.induced_drag - b.induced_drag));
}

}  // namespace

double QuadraticForm::operator()(const MotionVector& a) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[i] * entry.at(i).at(j) * a[j];
  }
  return sum;
}

bool LoadForms::converged() const {
  return std::all_of(gmres.begin(), gmres.end(),
                     [](const GmresResult& each) { return each.status == GmresStatus::converged; });
}

LoadForms load_forms(const FlowProblem& problem, const Vec3d& centre, const FlowOptions& options,
                     Backend& backend, const EquivalentFlow* equivalent,
                     std::span<const std::vector<double>> controls) {
  check(problem, !controls.empty());
  require_compatible(problem.panels.symmetry, problem.stream);
  if (equivalent && !controls.empty())
    throw InputError("control surfaces are for incompressible flows; leave out mach, or them");
  const LiftingBodies bodies{problem, equivalent};
  const MirrorHold held(backend.memory_space(), mirrors(problem.panels)),
      held_solved(backend.memory_space(), mirrors(bodies.solved().panels));
  LoadForms forms;
  std::vector<Mode> modes = allowed_modes(problem.panels, centre, controls);
  const std::size_t count = 6 + controls.size();
  forms.allowed.assign(count, false);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (auto* form : {&forms.force[axis], &forms.moment[axis], &forms.far_force[axis]})
      form->entry.assign(count, std::vector<double>(count, 0.0));
  }
  forms.induced_drag.entry = forms.force[0].entry;
  for (const Mode& mode : modes) forms.allowed[mode.index] = true;
  if (modes.empty()) return forms;
  ImageLoadOnLines images(bodies.solved(), {.fmm = options.fmm, .quadrature = {}}, backend);
  solve_modes(bodies, modes, images, options, backend, forms);
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < modes.size(); ++a) {
    for (std::size_t b = a; b < modes.size(); ++b) pairs.push_back({modes[a], modes[b]});
  }
  const PanelNeighbourhood neighbourhood(problem.panels);
  PairPressures pressures(bodies, neighbourhood, centre, backend);
  constexpr std::size_t together = 2;
  for (std::size_t k = 0; k < pairs.size(); k += together) {
    throw_if_stopped();
    pressures.add(std::span(pairs).subspan(k, std::min(together, pairs.size() - k)), forms);
  }
  for (const auto& [a, b] : pairs) add_far_loads(bodies, images, a, b, forms);
  return forms;
}

}  // namespace rankine::bem
