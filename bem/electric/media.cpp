#include "rankine/bem/electric/media.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

double contrast(const ElectricBody& body) {
  return (body.outside - body.inside) / (body.outside + body.inside);
}

bool is_interface(const ElectricProblem& problem, std::size_t panel) {
  return problem.conductor[panel] < 0;
}

/// Properties of a body.
struct BodyFacts {
  double area = 0.0;
  bool has_interface = false, has_conductor = false;
  bool cut_where_zero =
      false;  ///< by a plane of zero potential, where images have opposite charges
};

std::vector<BodyFacts> facts_of_bodies(const ElectricProblem& problem) {
  std::vector<BodyFacts> facts(problem.bodies.size());
  const meshes::Symmetry& symmetry = problem.panels.symmetry;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    BodyFacts& mine = facts[static_cast<std::size_t>(problem.body[i])];
    mine.area += problem.panels.area[i];
    (is_interface(problem, i) ? mine.has_interface : mine.has_conductor) = true;
    if (symmetry.even()) continue;
    const PanelShape<double>& shape = problem.panels.shape[i];
    for (int k = 0; k < shape.corners; ++k) {
      for (const meshes::SymmetryPlane& plane : symmetry.planes())
        mine.cut_where_zero |= plane.sign < 0.0 && plane.holds(shape.corner[k]);
    }
  }
  return facts;
}

/// Gauss's law of a body that is an interface on all sides: the sum of share times charge over all
/// charges on and within it vanishes.
class GaussLaw {
 public:
  GaussLaw(const ElectricProblem& problem, const std::vector<BodyFacts>& facts, std::int32_t body)
      : problem_(problem), facts_(facts), body_(body) {}

  bool holds() const {
    const BodyFacts& mine = facts_[static_cast<std::size_t>(body_)];
    return mine.has_interface && !mine.has_conductor && !mine.cut_where_zero;
  }
  /// Share of the charge on the panels of a body.
  double share(std::int32_t body) const {
    const std::optional<double> free = free_share(body);
    return free ? 1.0 - *free / outside(body_) : 0.0;
  }
  /// Share of a point charge over eps_0.
  double share(const PointCharge& charge) const {
    const std::optional<double> free = free_share(charge.body);
    const double medium = problem_.medium(charge.body);
    return free ? (1.0 - (*free > 0.0 ? *free : medium) / outside(body_)) / medium : 0.0;
  }

 private:
  double outside(std::int32_t body) const {
    return problem_.bodies[static_cast<std::size_t>(body)].outside;
  }
  /// Factor with which charge in `body` counts as free charge: the permittivity around the
  /// outermost conductor that encloses it; 0: no conductor. None if `body` is not inside this one.
  std::optional<double> free_share(std::int32_t body) const {
    double share = 0.0;
    for (; body >= 0 && body != body_;
         body = problem_.bodies[static_cast<std::size_t>(body)].parent) {
      if (facts_[static_cast<std::size_t>(body)].has_conductor) share = outside(body);
    }
    return body < 0 ? std::nullopt : std::optional(share);
  }

  const ElectricProblem& problem_;
  const std::vector<BodyFacts>& facts_;
  std::int32_t body_;
};

/// Scale of the rows of conductors, whose unit is m: the inverse radius of a sphere with the area
/// of the body.
double row_scale(const BodyFacts& facts) { return std::sqrt(4.0 * std::numbers::pi / facts.area); }

IncidentPoint point_of(const ElectricProblem& problem, const PointCharge& charge) {
  return {charge.position,
          inverse_four_pi * charge.charge / (vacuum_permittivity * problem.medium(charge.body))};
}

Diagonal diagonal(std::vector<double> values) {
  const bool none = std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0; });
  return none ? Diagonal{.factor = 0.0} : Diagonal{.factor = 1.0, .values = std::move(values)};
}

}  // namespace

double ElectricProblem::medium(std::int32_t inside_body) const {
  return inside_body < 0 ? permittivity : bodies[static_cast<std::size_t>(inside_body)].inside;
}

bool ElectricProblem::needs_both_sides(std::size_t panel) const {
  const ElectricBody& mine = body_of(panel);
  if (is_interface(*this, panel)) return mine.outside == mine.inside;
  return mine.inside > 0.0 || body[panel] == enclosing;
}

std::vector<std::uint8_t> ElectricProblem::thin() const {
  std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i < body.size(); ++i) result.push_back(body_of(i).thin ? 1 : 0);
  const bool any = std::any_of(result.begin(), result.end(), [](auto each) { return each != 0; });
  return any ? result : std::vector<std::uint8_t>{};
}

ElectricProblem one_medium(const Region& region, std::span<const std::int32_t> conductor,
                           int conductors, double permittivity, Formulation formulation) {
  ElectricProblem problem{
      .panels = region.panels,
      .conductor = {conductor.begin(), conductor.end()},
      .bodies = {{.outside = permittivity},
                 {.outside = permittivity, .inside = permittivity, .thin = true}},
      .conductors = conductors,
      .permittivity = permittivity,
      .domain = region.domain,
      .enclosing = region.domain == Domain::interior ? 0 : -1,
      .formulation = formulation};
  for (std::size_t i = 0; i < region.panels.size(); ++i)
    problem.body.push_back(region.is_thin(i) ? 1 : 0);
  return problem;
}

void check(const ElectricProblem& problem) {
  const std::size_t n = problem.panels.size();
  if (problem.formulation != Formulation::source && !problem.thin().empty())
    throw InputError("conductors without thickness need the formulation source");
  const auto bodies = static_cast<std::int32_t>(problem.bodies.size());
  const bool bodies_known =
      problem.body.size() == n && std::all_of(problem.body.begin(), problem.body.end(),
                                              [&](auto b) { return b >= 0 && b < bodies; });
  const bool conductors_known =
      problem.conductor.size() == n &&
      std::all_of(problem.conductor.begin(), problem.conductor.end(),
                  [&](auto c) { return c >= -1 && c < problem.conductors; });
  if (!bodies_known || !conductors_known) {
    throw InputError("give a body and a conductor (or -1) of every one of " + std::to_string(n) +
                     " panels, among " + std::to_string(bodies) + " bodies and " +
                     std::to_string(problem.conductors) + " conductors");
  }
  if (problem.conductors == 0 && !problem.has_sources()) {
    throw InputError(
        "there is neither a conductor nor a field nor a charge, and so no potential; give one");
  }
  const auto positive = [](double value, const std::string& what) {
    if (value > 0.0 && std::isfinite(value)) return;
    throw InputError("the permittivity " + what + " is " + text_of(value) +
                     "; give a positive number, relative to vacuum");
  };
  positive(problem.permittivity, "of the outermost medium");
  for (const ElectricBody& each : problem.bodies) positive(each.outside, "outside of a body");
  for (std::size_t i = 0; i < n; ++i) {
    if (is_interface(problem, i)) positive(problem.body_of(i).inside, "inside of an interface");
  }
  for (const PointCharge& each : problem.charges) {
    if (!std::isfinite(dot(each.position, each.position) + each.charge))
      throw InputError("a point charge is not finite; give metres and coulombs");
    if (problem.medium(each.body) > 0.0) continue;
    throw InputError(
        "a point charge lies within a conductor; outside it is felt as the conductor's charge: add "
        "it to that");
  }
}

Incident incident_in(const ElectricProblem& problem, std::int32_t region) {
  Incident result{.symmetry = problem.panels.symmetry};
  if (region < 0) result.uniform = -problem.field;
  for (const PointCharge& each : problem.charges) {
    if (each.body == region) result.points.push_back(point_of(problem, each));
  }
  return result;
}

Incident incident(const ElectricProblem& problem) {
  Incident all{.uniform = -problem.field, .symmetry = problem.panels.symmetry};
  for (const PointCharge& each : problem.charges) all.points.push_back(point_of(problem, each));
  return all;
}

std::vector<double> incident_flux(const ElectricProblem& problem) {
  const Panels& panels = problem.panels;
  const Incident sources = incident(problem), points{{}, sources.points, sources.symmetry};
  std::vector<double> flux;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    // The mean of the uniform field over the panel: its net flux through a closed surface is zero.
    flux.push_back(dot(sources.uniform, panels.vector_area[i]) / panels.area[i] +
                   dot(points.gradient(panels.centroid[i]), panels.normal[i]));
  }
  return flux;
}

BoundaryFormulation electric_formulation(const ElectricProblem& problem) {
  const std::size_t n = problem.panels.size();
  if (problem.formulation == Formulation::green)
    return green_formulation({std::vector<Known>(n, Known::potential)});
  const std::vector<BodyFacts> facts = facts_of_bodies(problem);
  std::vector<double> adjoint(n, 0.0), single(n, 0.0), jump(n, 0.0), both(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (is_interface(problem, i)) {
      adjoint[i] = -contrast(problem.body_of(i));
      jump[i] = 0.5;
    } else {
      single[i] = row_scale(facts[static_cast<std::size_t>(problem.body[i])]);
    }
    if (problem.needs_both_sides(i)) both[i] = 1.0;
  }
  const Diagonal both_sides = diagonal(std::move(both));
  BoundaryFormulation result{
      .system = {{{Layer::adjoint_double_layer, {}, diagonal(std::move(adjoint))},
                  {Layer::single_layer, {}, diagonal(std::move(single))}},
                 diagonal(std::move(jump))},
      .data = {{}, {}},
      .potential = {{{Layer::single_layer}}},
      .known_potential = {},
      .flux = {{{Layer::adjoint_double_layer, {}, both_sides}}, -0.5 * both_sides},
      .known_flux = {.factor = 0.0},
      .charge = {},
      .known_charge = {.factor = 0.0},
      .doublet = {.factor = 0.0},
      .known_doublet = {.factor = 0.0}};
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const GaussLaw law(problem, facts, static_cast<std::int32_t>(b));
    if (!law.holds()) continue;
    RankOne& rows = result.system.rank_one.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      const bool here = problem.body[i] == static_cast<std::int32_t>(b);
      rows.left.push_back(here ? 1.0 : 0.0);
      rows.right.push_back(law.share(problem.body[i]) * problem.panels.area[i] / facts[b].area);
    }
  }
  return result;
}

std::vector<double> electric_data(const ElectricProblem& problem) {
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size(), conductors = static_cast<std::size_t>(problem.conductors);
  const std::vector<BodyFacts> facts = facts_of_bodies(problem);
  std::vector<double> data((conductors + (problem.has_sources() ? 1 : 0)) * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (is_interface(problem, i)) continue;
    data[static_cast<std::size_t>(problem.conductor[i]) * n + i] =
        problem.formulation == Formulation::green
            ? 1.0
            : row_scale(facts[static_cast<std::size_t>(problem.body[i])]);
  }
  if (!problem.has_sources()) return data;
  double* const of_sources = data.data() + conductors * n;
  std::vector<double> gauss(problem.bodies.size(), 0.0);
  for (std::size_t b = 0; b < gauss.size(); ++b) {
    const GaussLaw law(problem, facts, static_cast<std::int32_t>(b));
    if (!law.holds()) continue;
    for (const PointCharge& each : problem.charges)
      gauss[b] -= law.share(each) * each.charge / (vacuum_permittivity * facts[b].area);
  }
  const Incident sources = incident(problem);
  const std::vector<double> flux = incident_flux(problem);
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(problem.body[i]);
    of_sources[i] = is_interface(problem, i)
                        ? contrast(problem.bodies[b]) * flux[i] + gauss[b]
                        : -row_scale(facts[b]) * sources.potential(panels.centroid[i]);
  }
  return data;
}

}  // namespace rankine::bem
