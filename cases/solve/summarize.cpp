#include "cases/solve/summarize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "cases/resources/processes.hpp"
#include "cases/solve/surface.hpp"
#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::cases {
namespace {

constexpr std::size_t most_lines = 8;  ///< lines of a list in the log

/// Minimum and maximum of a list that is not empty.
std::pair<double, double> extremes(const std::vector<double>& values) {
  const double first = values.front();
  return {-parallel_max(values.size(), -first, [&](std::size_t i) { return -values[i]; }),
          parallel_max(values.size(), first, [&](std::size_t i) { return values[i]; })};
}

double largest(std::span<const Vec3d> vectors) {
  double most = 0.0;
  for (const Vec3d& each : vectors) most = std::max(most, norm(each));
  return most;
}

std::string newtons(const Vec3d& force) { return fmt::format("{:.3e} N", force); }

Json mesh_json(const LoadedMesh& loaded) {
  return {{"path", loaded.mesh.source},
          {"panels", loaded.mesh.elements.size()},
          {"nodes", loaded.mesh.nodes.size()},
          {"volume", loaded.report.volume},
          {"area", loaded.report.area},
          {"watertight", loaded.report.watertight()},
          {"patches", to_object(panels_per_patch(loaded.mesh))}};
}

Json problem_json(const SolvedCase& solved) {
  const bem::FlowProblem& problem = solved.problem;
  const meshes::Symmetry& symmetry = problem.panels.symmetry;
  Json planes = Json::array();
  for (const meshes::SymmetryPlane& plane : symmetry.planes())
    planes.push_back(word(plane_words, {plane.axis, plane.sign}));
  return {{"kind", word(kind_words, solved.flow_case.problem.kind)},
          {"domain", word(domain_words, problem.domain)},
          {"velocity", to_array(solved.solution.stream)},
          {"sources", problem.onset.sources.size()},
          {"doublets", problem.onset.doublets.size()},
          {"vortex_segments", problem.onset.vortices.size()},
          {"density", problem.density},
          {"mach", solved.flow_case.problem.mach},
          {"symmetry", planes},
          {"symmetry_origin", to_array(symmetry.origin())},
          {"images", symmetry.images()}};
}

Json solver_json(const SolvedCase& solved) {
  const SolverInput& solver = solved.flow_case.solver;
  const bem::Solution& solution = solved.solution;
  return {{"formulation", bem::to_string(solver.formulation)},
          {"preconditioner", word(preconditioner_words, solution.preconditioner)},
          {"krylov", word(krylov_words, solver.krylov)},
          {"panels", word(panel_words, solver.panels)},
          {"curved_panels", solved.problem.panels.curves.curved},
          {"straightened_panels", solved.problem.panels.curves.straight},
          {"iterations", solution.gmres.iterations},
          {"tolerance", solver.tolerance},
          {"residual", solution.gmres.residual},
          {"true_residual", solution.gmres.true_residual},
          {"restart", solver.restart}};
}

/// Collects the results of a solve.
class Results {
 public:
  Results(const SolvedCase& solved, Summary& summary)
      : s_(solved),
        flow_(solved.problem.has_pressure),
        thin_(bem::has_thin_walls(solved.problem)),
        summary_(summary) {}

  void add_extremes();
  void add_fluxes();
  void add_loads();
  void add_lift();
  void add_electric();
  void add_added_mass(const AddedMassMatrix& added);
  void add_errors();
  void add_comparison();

 private:
  void add(Result result) { summary_.results.push_back(std::move(result)); }

  const SolvedCase& s_;
  bool flow_;  ///< a flow, not only a potential
  bool thin_;  ///< walls without thickness: pressures at rims are unbounded
  bool no_mass_ = thin_ || s_.equivalent || passes_through_itself(s_.loaded);
  bool has_cp_ = false;
  std::vector<ElectricResults::Error> electric_errors_;
  Summary& summary_;
};

void Results::add_extremes() {
  const auto cp = pressure_coefficient(s_.problem, s_.solution.pressure, s_.solution.stream);
  has_cp_ = cp.has_value();
  std::string text;
  if (flow_) {
    const auto [least, most] = cp ? extremes(*cp) : std::pair(0.0, 0.0);
    add({.key = "Cp_min", .value = cp ? Json(least) : Json()});
    add({.key = "Cp_max", .value = cp ? Json(most) : Json()});
    if (cp) text = fmt::format("Cp {:.4f} .. {:.4f}, ", least, most);
  }
  const double speed = largest(s_.solution.vectors());
  add({.key = flow_ ? "U_max" : "",
       .value = speed,
       .name = "results",
       .text = text + (flow_ ? fmt::format("largest speed {:.5g} m/s", speed)
                             : fmt::format("largest gradient {:.5g} per m", speed))});
  const auto [low, high] = extremes(bem::disturbance_potential(s_.problem, s_.solution));
  add({.key = "phi_min", .value = low});
  add({.key = "phi_max",
       .value = high,
       .name = "potential",
       .text = has_cp_ ? "" : fmt::format("{:.6g} .. {:.6g}", low, high)});
}

void Results::add_fluxes() {
  const std::vector<std::string>& names = s_.loaded.mesh.patch_names;
  const std::vector<double> fluxes = bem::flux_by_patch(s_.problem, s_.solution, names.size());
  Json json = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k) {
    json[names[k]] = fluxes[k];
    if (!has_cp_ && names.size() <= most_lines)
      add({.text = fmt::format("{:.6g} flux through {}", fluxes[k], names[k])});
  }
  add({.key = "patch_fluxes", .value = json});
  const double removed = s_.solution.removed_flux;
  add({.key = "removed_flux",
       .value = removed,
       .name = "net flux",
       .text = removed == 0.0
                   ? ""
                   : fmt::format("{:.3g} m^3/s of the data, which no potential has, was taken "
                                 "evenly from all panels",
                                 removed)});
}

void Results::add_loads() {
  if (!flow_) return;
  const SurfaceLoads& loads = s_.loads;
  add({.key = "force",
       .value = to_array(loads.force),
       .name = "force",
       .text = newtons(loads.force)});
  Json patches = Json::object(), bodies = Json::array();
  for (const auto& [patch, of] : loads.patches) {
    patches[patch] = to_array(of.force);
    if (loads.patches.size() >= 2 && loads.patches.size() <= most_lines)
      add({.text = fmt::format("{} on {}", newtons(of.force), patch)});
  }
  for (const BodyLoads& each : loads.bodies) {
    bodies.push_back({{"name", each.name},
                      {"volume", each.volume},
                      {"centre", to_array(each.centre)},
                      {"force", to_array(each.force)},
                      {"moment", to_array(each.moment)}});
  }
  add({.key = "patch_forces", .value = patches});
  add({.key = "moment", .value = to_array(loads.moment)});
  add({.key = "bodies", .value = bodies});
  add({.key = "added_mass", .value = no_mass_ ? Json() : Json(to_array(loads.added_mass))});
}

void Results::add_lift() {
  auto all = s_.rotor ? describe(*s_.rotor) : s_.lift ? describe(*s_.lift) : std::vector<Result>{};
  if (s_.polar) std::ranges::move(describe(*s_.polar), std::back_inserter(all));
  for (Result& each : all) add(std::move(each));
}

void Results::add_electric() {
  if (!s_.media) return;
  const ElectricResults electric =
      describe(s_.flow_case, s_.loaded.mesh, *s_.media, s_.errors.velocity);
  electric_errors_ = electric.errors;
  Json conductors = Json::array(), charges = Json::array(), bodies = Json::array();
  for (const ConductorResult& each : electric.conductors) {
    add({.name = conductors.empty() ? "conductors" : "",
         .text = fmt::format("{}: {:.6g} V, {:.6g} C, force {}", each.name, each.potential,
                             each.charge, newtons(each.force))});
    charges.push_back(each.charge);
    conductors.push_back({{"name", each.name},
                          {"potential", each.potential},
                          {"charge", each.charge},
                          {"force", to_array(each.force)}});
  }
  const bool others = electric.conductors.size() != electric.bodies.size();
  for (const BodyForce& each : electric.bodies) {
    if (others && electric.bodies.size() <= most_lines)
      add({.name = bodies.empty() ? "bodies" : "",
           .text = fmt::format("{}: force {}", each.name, newtons(each.force))});
    bodies.push_back({{"name", each.name}, {"force", to_array(each.force)}});
  }
  add({.key = "conductors", .value = conductors});
  add({.key = "bodies", .value = bodies});
  add({.key = "charges", .value = charges});
  const std::size_t count = electric.capacitance.size();
  add({.key = "capacitance", .value = electric.capacitance});
  add({.key = "capacitance_matrix",
       .value = electric.capacitance,
       .name = "matrix",
       .text = count == 0 ? ""
                          : fmt::format("capacitances {0} x {0}, F, asymmetry {1:.1e}", count,
                                        electric.asymmetry)});
  for (const std::vector<double>& row : electric.capacitance) {
    if (count <= most_lines) add({.text = fmt::format("{:.6g}", fmt::join(row, "  "))});
  }
  add({.key = "capacitance_asymmetry", .value = electric.asymmetry});
  add({.key = "energy",
       .value = electric.energy,
       .name = "energy",
       .text = fmt::format("{:.6g} J", electric.energy)});
}

void Results::add_added_mass(const AddedMassMatrix& added) {
  const std::string fast = added.limit.empty() ? "" : " at infinite frequency";
  Json centres = Json::array();
  for (std::size_t b = 0; b < added.centres.size(); ++b) {
    centres.push_back(to_array(added.centres[b]));
    if (b >= most_lines / 2) continue;
    std::vector<double> diagonal;
    for (std::size_t k = 6 * b; k < 6 * b + 6; ++k) diagonal.push_back(added.matrix[k][k]);
    add({.name = b == 0 ? "added mass" : "",
         .text = fmt::format("{}{}: {:.5g} (kg, kg m^2)",
                             added.modes[6 * b].substr(0, added.modes[6 * b].rfind(' ')), fast,
                             fmt::join(diagonal, ", "))});
  }
  const auto key = [&](const char* what) { return "added_mass_" + (what + added.limit); };
  if (added.limit.empty()) {
    add({.key = key("modes"), .value = added.modes});
    add({.key = key("centres"), .value = centres});
  }
  add({.key = key("matrix"), .value = added.matrix});
  add({.key = key("nondimensional"), .value = added.nondimensional});
  add({.key = key("asymmetry"), .value = added.asymmetry});
  add({.key = key("iterations"),
       .value = added.iterations,
       .text = fmt::format("{} modes in {} iterations, asymmetry {:.1e}", added.modes.size(),
                           added.iterations, added.asymmetry)});
}

/// Errors are relative, except that of the force (N).
void Results::add_errors() {
  const bem::ErrorFigures& errors = s_.errors.figures;
  Json json = Json::object();
  std::string text = "estimated, relative L2:";
  const auto figure = [](double error) {
    return error < 1.0 ? fmt::format("{:.1e}", error) : std::string("above 1");
  };
  const auto put = [&](const std::string& key, const auto& error) {
    json.update({{key + "_l2", error.l2}, {key + "_max", error.max}});
    text += fmt::format(" {} {} (largest {}),", key, figure(error.l2), figure(error.max));
  };
  std::vector<std::string> others;
  const auto put_other = [&](const ElectricResults::Error& error) {
    json[error.key] = error.value;
    others.push_back(fmt::format("{} {:.1e}{}", error.name, error.value, error.unit));
  };
  put("potential", errors.potential);
  put(flow_ ? "velocity" : "gradient", errors.velocity);
  if (flow_) {
    json["Cp_l2"] = json["Cp_max"] = Json();
    if (has_cp_ && !thin_) put("Cp", errors.cp);
    put_other({"force", "force", errors.force, " N"});
    json["added_mass"] = Json();
    if (!no_mass_) put_other({"added_mass", "added mass", errors.added_mass, ", relative"});
  }
  for (const ElectricResults::Error& each : electric_errors_) put_other(each);
  if (s_.lift)
    json.update({{"CL", s_.lift->lift_error}, {"CD_induced", s_.lift->induced_drag_error}});
  if (s_.rotor) json.update(s_.rotor->errors());
  text.pop_back();
  json.update({{"doubtful_area", errors.doubtful}, {"doubtful_panels", errors.doubtful_panels}});
  add({.key = "error_estimates", .value = json, .name = "errors", .text = text});
  if (!others.empty()) add({.text = fmt::format("{}", fmt::join(others, ", "))});
}

void Results::add_comparison() {
  const auto verify = compare_with_exact(s_.flow_case.verify, s_.problem, s_.solution, s_.fits);
  if (!verify) return;
  summary_.verify = {{"exact", verify->exact},
                     {"potential_l2", verify->potential_l2},
                     {"velocity_l2", verify->velocity_l2},
                     {"velocity_max", verify->velocity_max}};
  if (verify->added_mass) summary_.verify["added_mass"] = *verify->added_mass;
  summary_.verify["exceeded"] = verify->exceeded;
  summary_.verify["pass"] = verify->pass();
  add({.name = "verify",
       .text = fmt::format("{}: potential {:.2e}, velocity {:.2e} (relative L2), added mass {:.2e}",
                           verify->exact, verify->potential_l2, verify->velocity_l2,
                           verify->added_mass.value_or(0.0))});
}

}  // namespace

Json far_field_json(const bem::Solution& solution, const std::string& backend) {
  const bem::FarFieldAccuracy& accuracy = solution.accuracy;
  const fmm::OperatorInfo& far = solution.fmm;
  Json errors = Json::object();  // of the measured vectors
  for (std::size_t k = 0; k < bem::solve_vector_count; ++k)
    if (accuracy.errors[k] > 0.0)
      errors[bem::to_string(static_cast<bem::SolveVector>(k))] = accuracy.errors[k];
  return {{"backend", backend},
          {"method", word(method_words, far.method)},
          {"precision", precision_word(far.precision, solution.mixed_precision)},
          {"tolerance", accuracy.asked},
          {"tolerance_used", accuracy.tolerance},
          {"raised", accuracy.refinements.size()},
          {"order", far.order},
          {"leaf_capacity", far.leaf_capacity},
          {"depth", far.depth},
          {"near_pairs", far.near_pairs},
          {"near_entries", solution.near_entries},
          {"samples", accuracy.samples},
          {"sampled_error", solution.fmm_sampled_error},
          {"sampled_errors", errors}};
}

Summary summarize(const SolvedCase& solved, const bem::Backend& backend) {
  const bool supersonic = solved.converged() && solved.supersonic;
  Summary summary{.status = solved.meaningless() ? "meaningless"
                            : supersonic
                                ? "supersonic"
                                : std::string(bem::to_string(solved.solution.gmres.status)),
                  .case_path = solved.flow_case.path,
                  .case_sha256 = solved.flow_case.sha256,
                  .device = backend.device(),
                  .threads = thread_count(),
                  .processes = processes().size(),
                  .peak_device_bytes = backend.peak_device_bytes()};
  summary.groups = {{"mesh", mesh_json(solved.loaded)},
                    {"problem", problem_json(solved)},
                    {"fmm", far_field_json(solved.solution, backend.name())},
                    {"solver", solver_json(solved)}};
  Results results(solved, summary);
  results.add_extremes();
  results.add_fluxes();
  results.add_loads();
  results.add_lift();
  results.add_electric();
  for (const AddedMassMatrix& each : solved.added_mass) results.add_added_mass(each);
  results.add_errors();
  results.add_comparison();
  if (!solved.converged() || solved.meaningless() || supersonic) {
    summary.exit_code = exit_not_converged;
  } else if (!summary.verify.is_null() && !summary.verify["pass"]) {
    summary.exit_code = exit_limit_exceeded;
  }
  return summary;
}

}  // namespace rankine::cases
