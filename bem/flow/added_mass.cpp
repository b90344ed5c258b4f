#include "rankine/bem/flow/added_mass.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rankine/bem/boundary_solver.hpp"
#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/doublet_sheet.hpp"
#include "rankine/bem/layers/edge_corrections.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/rigid_motion.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

void check(const FlowProblem& problem, const RigidBodies& bodies,
           std::span<const double> displacements) {
  const std::size_t n = problem.panels.size();
  const auto count = static_cast<std::int32_t>(bodies.centre.size());
  const bool known = std::all_of(bodies.body.begin(), bodies.body.end(),
                                 [&](std::int32_t b) { return b >= 0 && b < count; });
  if (bodies.body.size() != n || !known) {
    throw InputError("added mass: give the body of every one of " + std::to_string(n) +
                     " panels, from 0 to " + std::to_string(count - 1));
  }
  if (displacements.size() % n != 0) {
    throw InputError("added mass: displacements have " + std::to_string(displacements.size()) +
                     " values; give one per panel (" + std::to_string(n) + ") for each mode");
  }
}

/// Throws InputError unless rigid modes are even or odd across the planes that halve the bodies.
void check_halved(const FlowProblem& problem, const RigidBodies& bodies,
                  std::span<const double> displacements) {
  require_planes(problem.panels.symmetry, "added mass");
  if (bodies.halved.empty()) return;
  if (!displacements.empty()) {
    throw InputError(
        "added mass: displacements on half a body may be even or odd across the plane; mesh the "
        "whole body for them");
  }
  for (const int axis : bodies.halved) {
    const auto planes = problem.panels.symmetry.planes();
    const auto plane = std::find_if(planes.begin(), planes.end(),
                                    [&](const auto& each) { return each.axis == axis; });
    if (plane == planes.end()) {
      throw InputError(std::string("added mass: no symmetry plane is normal to ") + "xyz"[axis] +
                       ", where bodies are halved");
    }
    for (const Vec3d& centre : bodies.centre) {
      if (plane->holds(centre)) continue;
      throw InputError(text_of("added mass: the centre of a halved body has ", "xyz"[axis], " = ",
                               centre[axis], " m; a rotation of the whole body needs a centre on ",
                               "the plane ", name(*plane)));
    }
  }
}

/// Bit k: whether a rigid mode is odd across the plane of `halved` number k.
unsigned parity_of(std::size_t mode, const std::vector<int>& halved) {
  unsigned parity = 0;
  for (std::size_t k = 0; k < halved.size(); ++k) {
    const bool along = static_cast<int>(mode % 3) == halved[k], turns = mode % 6 >= 3;
    parity |= (along != turns ? 1u : 0u) << k;
  }
  return parity;
}

/// Known values: fluxes, or zero where the potential is given.
std::vector<double> known_of(const FlowProblem& problem, std::span<const double> volume) {
  const std::size_t n = problem.panels.size();
  std::vector<double> known(volume.size());
  for (std::size_t k = 0; k < volume.size(); k += n) {
    for (std::size_t i = 0; i < n; ++i) known[k + i] = volume[k + i] / problem.panels.area[i];
    remove_net_flux(problem, std::span(known).subspan(k, n));
    for (std::size_t i = 0; i < problem.conditions.known.size(); ++i) {
      if (problem.conditions.known[i] == Known::potential) known[k + i] = 0.0;
    }
  }
  return known;
}

/// Integrals over panels of the potential of one mode.
struct ModeIntegrals {
  AlignedVector<SurfaceIntegral> phi;  ///< int phi dA, int phi n dA, int x x n phi dA
  AlignedVector<Vec3d> gradient;       ///< of phi; empty if it is not wanted, and on thin walls
};

/// From fits to the values at the collocation points and from `means`, if there are any; on thin
/// walls `potential` are means.
ModeIntegrals integrals(const FlowProblem& problem, std::span<const double> potential,
                        std::span<const double> means, bool with_gradient, Backend& backend) {
  const Panels& panels = problem.panels;
  if (!has_thin_walls(problem)) {
    const PanelNeighbourhood around(panels);
    ModeIntegrals of_mode{backend.fit(around, {{}, potential, {}}).of_potential, {}};
    if (!means.empty()) set_means(panels, means, potential, of_mode.phi);
    if (with_gradient) of_mode.gradient = backend.gradient(around, potential).gradient;
    return of_mode;
  }
  const std::vector<Vec3d> moment = moments_of_area(panels);
  ModeIntegrals of_walls{AlignedVector<SurfaceIntegral>(panels.size()), {}};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double phi = potential[i];
    of_walls.phi[i] = {phi * panels.area[i], phi * panels.vector_area[i], phi * moment[i]};
  }
  return of_walls;
}

/// Row i of the matrix for the integrals of phi_i: int phi_i q_j dA over panels with a given flux.
/// For displacements this is their mean times that of phi_i, plus the product of their slopes.
/// `slopes`: int (x - c) (x - c) . grad q_j dA, where c is the centroid.
std::vector<double> row_of(const FlowProblem& problem, const RigidBodies& bodies,
                           std::span<const double> displacements, std::span<const Vec3d> slopes,
                           ModeIntegrals of_mode) {
  const std::size_t n = of_mode.phi.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (problem.conditions.at(i) == Known::flux) continue;
    of_mode.phi[i] = {};
    if (!of_mode.gradient.empty()) of_mode.gradient[i] = {};
  }
  std::vector<double> row;
  for (const SurfaceIntegral& each :
       sums_of_groups(of_mode.phi, bodies.body, bodies.centre.size())) {
    const Vec3d moment = each.moment_about(bodies.centre[row.size() / 6]);
    row.insert(row.end(), {each.normal.x, each.normal.y, each.normal.z});
    row.insert(row.end(), {moment.x, moment.y, moment.z});
  }
  for (std::size_t first = 0; first < displacements.size(); first += n) {
    row.push_back(0.0);
    for (std::size_t i = 0; i < n; ++i)
      row.back() += displacements[first + i] * of_mode.phi[i].plain;
    for (std::size_t i = 0; i < of_mode.gradient.size(); ++i)
      row.back() += dot(slopes[first + i], of_mode.gradient[i]);
  }
  return row;
}

/// The slopes of row_of().
std::vector<Vec3d> slopes_of(const Panels& panels, std::span<const double> displacements,
                             Backend& backend) {
  const std::vector<TrianglePoint> rule = triangle_rule(6);
  const PanelNeighbourhood around(panels);
  const std::size_t n = panels.size();
  std::vector<Vec3d> slopes;
  for (std::size_t first = 0; first < displacements.size(); first += n) {
    const SurfaceGradient of_mode = backend.gradient(around, displacements.subspan(first, n));
    for (std::size_t i = 0; i < n; ++i) {
      Vec3d& slope = slopes.emplace_back();
      for (int half = 0; half + 2 < panels.shape[i].corners; ++half) {
        const TrianglePatch<double> triangle = triangle_of(panels.shape[i], half);
        for (const TrianglePoint& p : rule) {
          const Vec3d r = triangle.point(p.a, p.b, p.c) - panels.centroid[i];
          slope += p.weight * norm(triangle.vector_area(p.a, p.b, p.c)) *
                   dot(r, of_mode.gradient[i]) * r;
        }
      }
    }
  }
  return slopes;
}

/// The scale of every mode: the largest mass of the body in translation; for rotations, whose own
/// mass may be zero, this times the squared radius area / (4 pi); for any other mode its own mass.
std::vector<double> scales(const FlowProblem& problem, const RigidBodies& bodies,
                           const std::vector<double>& found, std::size_t modes, double parts) {
  std::vector<double> area(bodies.centre.size(), 0.0), scale(modes);
  for (std::size_t i = 0; i < bodies.body.size(); ++i)
    area[static_cast<std::size_t>(bodies.body[i])] += problem.panels.area[i] * parts;
  for (std::size_t i = 0; i < modes; ++i) scale[i] = std::abs(found[i * modes + i]);
  for (std::size_t b = 0; b < area.size(); ++b) {
    double* const mine = scale.data() + 6 * b;
    const double largest = *std::max_element(mine, mine + 3);
    std::fill(mine, mine + 3, largest);
    std::fill(mine + 3, mine + 6, largest * area[b] * inverse_four_pi);
  }
  return scale;
}

/// The symmetric matrix, and its difference from the computed one.
void symmetrize(const std::vector<double>& found, const std::vector<double>& scale,
                AddedMass& result) {
  const std::size_t modes = scale.size();
  result.matrix.resize(modes * modes);
  for (std::size_t i = 0; i < modes; ++i) {
    for (std::size_t j = 0; j < modes; ++j) {
      const double a = found[i * modes + j], b = found[j * modes + i];
      result.matrix[i * modes + j] = 0.5 * (a + b);
      const double unit = std::sqrt(scale[i] * scale[j]);
      if (unit > 0.0) result.asymmetry = std::max(result.asymmetry, std::abs(a - b) / unit);
    }
  }
}

/// Solves for the potentials of modes: on bodies, or their jumps across thin walls.
class ModeSolver {
 public:
  ModeSolver(const FlowProblem& problem, const FlowOptions& options, int modes, Backend& backend) {
    BoundaryFormulation formulation;
    if (options.formulation == Formulation::doublet) {
      require_thin_walls(problem);
      walls_.emplace(problem.panels, options.quadrature);
      formulation = sheet_formulation();
    } else {
      bodies_.emplace(problem.panels, options.quadrature);
      formulation = formulate(options.formulation, problem.region(), problem.conditions);
      if (options.formulation == Formulation::green && problem.conditions.everywhere(Known::flux))
        correct_at_edges(formulation, *bodies_);
    }
    SolveOptions of_modes = options;
    of_modes.initial_guess.clear();
    const Discretization& panels = walls_ ? static_cast<const Discretization&>(*walls_) : *bodies_;
    solver_.emplace(panels, std::move(formulation), std::min(modes, modes_together), of_modes,
                    backend, modes > modes_together ? Uses::many : Uses::one);
  }

  /// `known`: modes x panels. Throws Stopped if it is requested to stop.
  BoundarySolution operator()(const std::vector<double>& known) {
    solver_->start_from({});
    BoundarySolution solved = solver_->solve(walls_ ? walls_->test(known) : known);
    solver_->evaluate(solved);
    if (!solved.complete()) throw Stopped("interrupted while added mass was sought");
    if (walls_) solved.potential = walls_->means(solved.potential);
    return solved;
  }

 private:
  std::optional<DoubletSheet> walls_;
  std::optional<CollocatedPanels> bodies_;
  std::optional<BoundarySolver> solver_;
};

}  // namespace

bool AddedMass::converged() const {
  return std::all_of(gmres.begin(), gmres.end(),
                     [](const GmresResult& each) { return each.status == GmresStatus::converged; });
}

std::vector<double> rigid_volumes(const Panels& panels, const RigidBodies& bodies) {
  const std::size_t n = panels.size();
  const std::vector<Vec3d> moment = moments_of_area(panels);
  std::vector<double> volume(6 * bodies.centre.size() * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto body = static_cast<std::size_t>(bodies.body[i]);
    const Vec3d about = moment[i] - cross(bodies.centre[body], panels.vector_area[i]);
    for (int axis = 0; axis < 3; ++axis) {
      volume[(6 * body + static_cast<std::size_t>(axis)) * n + i] = panels.vector_area[i][axis];
      volume[(6 * body + 3 + static_cast<std::size_t>(axis)) * n + i] = about[axis];
    }
  }
  return volume;
}

AddedMass added_mass(const FlowProblem& problem, const RigidBodies& bodies,
                     std::span<const double> displacements, const FlowOptions& options,
                     Backend& backend) {
  check(problem, bodies, displacements);
  check_halved(problem, bodies, displacements);
  const std::size_t n = problem.panels.size();
  std::vector<double> volume = rigid_volumes(problem.panels, bodies);
  for (std::size_t k = 0; k < displacements.size(); ++k)
    volume.push_back(displacements[k] * problem.panels.area[k % n]);

  AddedMass result;
  const std::size_t modes = volume.size() / n;
  result.modes = static_cast<int>(modes);
  result.potential.resize(modes * n);
  result.gmres.resize(modes);
  const double parts = 1u << bodies.halved.size();
  std::vector<double> found(modes * modes, 0.0);  // none between modes of different parity
  const std::vector<Vec3d> slopes = slopes_of(problem.panels, displacements, backend);
  std::map<unsigned, std::vector<std::size_t>> groups;
  for (std::size_t mode = 0; mode < modes; ++mode)
    groups[parity_of(mode, bodies.halved)].push_back(mode);
  for (const auto& [of_group, members] : groups) {
    meshes::Symmetry planes = problem.panels.symmetry;
    // Modes do not vanish at a free surface.
    for (const meshes::SymmetryPlane& each : problem.panels.symmetry.planes()) {
      if (each.sign < 0.0) planes = planes.with_sign(each.axis, each.sign, true);
    }
    for (std::size_t k = 0; k < bodies.halved.size(); ++k)
      planes = planes.with_sign(bodies.halved[k], (of_group >> k & 1) != 0 ? -1.0 : 1.0);
    std::optional<FlowProblem> signs;
    if (!bodies.halved.empty() || !problem.panels.symmetry.even()) {
      signs = problem;
      signs->panels.symmetry = planes;
    }
    const FlowProblem& mine = signs ? *signs : problem;
    ModeSolver solve_modes(mine, options, static_cast<int>(members.size()), backend);
    constexpr auto together = static_cast<std::size_t>(modes_together);
    for (std::size_t first = 0; first < members.size(); first += together) {
      const auto some =
          std::span(members).subspan(first, std::min(together, members.size() - first));
      std::vector<double> of_some;
      for (const std::size_t mode : some)
        of_some.insert(of_some.end(), &volume[mode * n], &volume[mode * n] + n);
      const BoundarySolution solved = solve_modes(known_of(mine, of_some));
      for (std::size_t k = 0; k < some.size(); ++k) {
        const std::span<const double> potential(&solved.potential[k * n], n);
        std::ranges::copy(potential, &result.potential[some[k] * n]);
        const auto means = solved.doublet.empty() || has_thin_walls(mine)
                               ? std::span<const double>{}
                               : std::span(solved.doublet).subspan(k * n, n);
        const std::vector<double> row =
            row_of(problem, bodies, displacements, slopes,
                   integrals(mine, potential, means, !slopes.empty(), backend));
        for (const std::size_t j : members)
          found[some[k] * modes + j] = -problem.density * parts * row[j];
        result.gmres[some[k]] = solved.gmres[k];
      }
      result.seconds = solved.seconds;
      result.accuracy = solved.accuracy;
    }
  }
  symmetrize(found, scales(problem, bodies, found, modes, parts), result);
  return result;
}

}  // namespace rankine::bem
