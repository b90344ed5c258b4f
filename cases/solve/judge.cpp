#include "cases/solve/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cases/case_constants.hpp"
#include "cases/output/show.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::cases {
namespace {

/// For every panel, the largest speed on its edge neighbours.
std::vector<double> speed_around(const bem::Panels& panels, std::span<const Vec3d> velocity) {
  std::vector<double> around(velocity.size(), 0.0);
  const bem::PanelNeighbourhood neighbourhood(panels);
  parallel_for(around.size(), [&](std::size_t e) {
    const meshes::Element& element = panels.nodes[e];
    const int corners = meshes::corner_count(element);
    for (int k = 0; k < corners; ++k) {
      neighbourhood.for_each_at_edge(element[k], element[(k + 1) % corners],
                                     [&](std::int32_t other) {
                                       const auto j = static_cast<std::size_t>(other);
                                       if (j != e && j < velocity.size())
                                         around[e] = std::max(around[e], norm(velocity[j]));
                                     });
    }
  });
  return around;
}

}  // namespace

Judgement judge(const bem::FlowProblem& problem, const bem::Solution& solution,
                const Vec3d& force) {
  Judgement judgement;
  const double stream = norm(solution.stream);
  const bool inside = problem.domain == bem::Domain::interior;
  const bool thin = bem::has_thin_walls(problem);  // rims carry loads and have unbounded speeds
  const bool at_rest = problem.has_pressure && problem.normal_velocity.empty();
  if (stream == 0.0 || inside || thin || !at_rest || problem.lift || !solution.complete())
    return judgement;
  const double area = bem::total_area(problem.panels);
  const meshes::Symmetry& symmetry = problem.panels.symmetry;
  Vec3d along = problem.onset.empty() ? force : Vec3d{};  // sources attract or repel bodies
  // Images attract or repel bodies: the force must vanish only along the symmetry planes.
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) along[plane.axis] = 0.0;
  const double pressure = bem::reference_pressure(problem.density, solution.stream);
  judgement.force = norm(along) / (pressure * area);
  double across = 0.0;  // |n.f|^2
  for (std::size_t e = 0; e < problem.panels.size(); ++e) {
    const double part = dot(problem.panels.normal[e], normalized(along));
    across += part * part * problem.panels.area[e];
  }
  if (across > 0.0) judgement.pressure_error = norm(along) / (pressure * std::sqrt(area * across));
  double sources = 0.0;
  for (std::size_t e = 0; e < solution.charge.size(); ++e)
    sources += solution.charge[e] * problem.panels.area[e];
  if (symmetry.even()) judgement.flux = std::abs(sources) / (stream * area);
  const std::vector<double> around = speed_around(problem.panels, solution.vectors());
  for (std::size_t e = 0; e < around.size(); ++e) {
    const double speed = norm(solution.vectors()[e]);
    if (speed < stream) continue;
    const double jump = speed / around[e];
    if (jump > limits::most_speed_jump) judgement.fast_panels.push_back(e);
    if (jump > judgement.speed_jump) {
      judgement.speed_jump = jump;
      judgement.fastest = e;
    }
  }
  return judgement;
}

std::optional<std::string> warning_of_sonic_flow(const bem::FlowProblem& problem,
                                                 const bem::Solution& solution, double mach) {
  const double dynamic = bem::reference_pressure(problem.density, solution.stream),
               sonic = bem::sonic_pressure_coefficient(mach);
  double least = 0.0, faster = 0.0;
  for (std::size_t e = 0; e < solution.pressure.size(); ++e) {
    const double cp = solution.pressure[e] / dynamic;
    least = std::min(least, cp);
    if (cp < sonic) faster += problem.panels.area[e];
  }
  if (least >= sonic) return std::nullopt;
  return fmt::format(
      "the Mach number {:.3g} is above the critical one, estimated at {:.3g}: on {:.2g} % of the "
      "surface the flow is faster than sound (Cp down to {:.3g}, and {:.3g} at the speed of "
      "sound), which the linear rule does not describe; use a smaller Mach number, angle or "
      "thickness",
      mach, bem::critical_mach(mach, least), 100.0 * faster / bem::total_area(problem.panels),
      least, sonic);
}

std::vector<std::string> warnings_of(const Judgement& judgement, const bem::Panels& panels) {
  std::vector<std::string> warnings;
  if (judgement.force > limits::most_left) {
    warnings.push_back(fmt::format(
        "the total force is {:.2g} of dynamic pressure times area, but must be zero: use smaller "
        "panels where the flow turns sharply, and run rankine check on the case",
        judgement.force));
  }
  if (judgement.flux > limits::most_left) {
    warnings.push_back(
        fmt::format("the sources add up to {:.2g} of stream times area, but their sum must be "
                    "zero: use smaller panels, or formulation = \"green\"",
                    judgement.flux));
  }
  if (!judgement.fast_panels.empty()) {
    const auto& fast = judgement.fast_panels;
    const std::size_t shown = std::min<std::size_t>(fast.size(), 5);
    warnings.push_back(fmt::format(
        "{} far faster than all around {}: element{} {}{}; at worst {:.3g} times, element {} at "
        "{:.4g} m; the speed there and the largest speed are not meaningful: use smaller or "
        "better shaped panels there",
        fast.size() == 1 ? "1 panel is" : fmt::format("{} panels are", fast.size()),
        fast.size() == 1 ? "it" : "them", fast.size() == 1 ? "" : "s",
        fmt::join(fast.begin(), fast.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        fast.size() > shown ? ", ..." : "", judgement.speed_jump, judgement.fastest,
        panels.centroid[judgement.fastest]));
  }
  return warnings;
}

bool is_meaningless(const Judgement& judgement, const bem::ErrorFigures& errors) {
  return errors.velocity.l2 > 1.0 || judgement.pressure_error > 0.5;
}

std::optional<std::string> warning_of(const bem::ErrorFigures& errors,
                                      const bem::FlowProblem& problem) {
  if (errors.doubtful_panels == 0) return std::nullopt;
  const bool flow = problem.has_pressure;
  return fmt::format(
      "{} are estimated to err by more than {:.0f} % of {} on {:.1f} % of the surface ({} panels), "
      "at worst by {:.0f} %, element {} at {:.4g} m: use smaller panels there "
      "(error_estimate in surface.vtp); at sharp edges the exact {} is unbounded, and the largest "
      "value found is not meaningful",
      flow ? "velocities" : "gradients of the potential", 100.0 * bem::doubtful_from,
      flow ? "the stream" : "their root mean square", 100.0 * errors.doubtful,
      errors.doubtful_panels, 100.0 * errors.at_worst, errors.worst,
      problem.panels.centroid[errors.worst], flow ? "velocity" : "gradient");
}

std::optional<std::string> warning_of_formulation(const bem::FlowProblem& problem,
                                                  bem::Formulation formulation) {
  if (problem.domain != bem::Domain::interior || formulation != bem::Formulation::source)
    return std::nullopt;
  const bem::Panels& panels = problem.panels;
  const bem::PanelNeighbourhood neighbourhood(panels);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const meshes::Element& element = panels.nodes[i];
    const int corners = meshes::corner_count(element);
    bool sharp = false;
    for (int k = 0; k < corners; ++k) {
      neighbourhood.for_each_at_edge(element[k], element[(k + 1) % corners], [&](std::int32_t j) {
        sharp |= dot(neighbourhood.normal(j), panels.normal[i]) < neighbourhood.least_cosine();
      });
    }
    if (!sharp) continue;
    return fmt::format(
        "formulation = \"source\" inside a surface with sharp edges, one at {:.4g} m: "
        "errors of gradients there are tens of percent; use formulation = \"green\"",
        panels.centroid[i]);
  }
  return std::nullopt;
}

std::optional<std::string> warning_of_trailing_edges(const bem::FlowProblem& problem,
                                                     const bem::Solution& solution) {
  const bem::Panels& panels = problem.panels;
  const double speed = norm(solution.stream);
  const bool wing = problem.has_pressure && speed > 0.0 && !bem::has_thin_walls(problem) &&
                    problem.domain == bem::Domain::exterior && problem.normal_velocity.empty();
  if (!wing || !solution.complete()) return std::nullopt;
  double trailing = 0.0, crossed = 0.0;
  Vec3d place{};
  for (const bem::EdgeSegment& edge : bem::trailing_edges(panels, solution.stream)) {
    const auto e = static_cast<std::size_t>(edge.upper), j = static_cast<std::size_t>(edge.lower);
    const double length = norm(bem::corner_at(panels, edge.upper, edge.second) -
                               bem::corner_at(panels, edge.upper, edge.first));
    trailing += length;
    const double one = dot(solution.vectors()[e], edge.outward),
                 two = dot(solution.vectors()[j], edge.outward);
    const bool around =
        one * two < 0.0 && std::min(std::abs(one), std::abs(two)) >= limits::edge_crossing * speed;
    if (!around) continue;
    crossed += length;
    place += length * 0.5 * (panels.centroid[e] + panels.centroid[j]);
  }
  if (crossed == 0.0 || crossed < limits::crossed_share * trailing) return std::nullopt;
  return fmt::format(
      "the flow goes around a sharp trailing edge near {:.4g} m: there is no wake, so that there "
      "is "
      "no circulation and no lift; pressures and forces are not those of a wing: add [lift], or "
      "lift.wakes = false if none is wanted",
      place / crossed);
}

bool StagnationWatch::add(double residual) {
  const bool begun_anew = !last_.empty() && residual > 2.0 * last_.back();
  if (begun_anew) last_.clear();
  last_.push_back(residual);
  if (last_.size() > window + 1) last_.pop_front();
  stagnated_ =
      last_.size() > window && last_.back() > (1.0 - limits::least_reduction) * last_.front();
  return stagnated_;
}

std::string StagnationWatch::explanation() const {
  return fmt::format(
      "GMRES has stagnated: residual {:.3g}, after {:.3g} at {} iterations before. Run rankine "
      "check on the case. If it lists bodies that touch or overlap, or folded or warped panels, "
      "unite the bodies or mesh these panels again. If it lists none, use panels that are less "
      "long or less graded, or a larger solver.tolerance",
      last_.back(), last_.front(), window);
}

}  // namespace rankine::cases
