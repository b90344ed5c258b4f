#include "cases/solve/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"

namespace rankine::cases {

void ResidualTable::add(const bem::GmresIteration& iteration) {
  if (!begun_) {
    log_.blank();
    log_.line("  iteration    residual   seconds");
    begun_ = true;
  }
  log_.line(fmt::format("  {:>9}   {:>9.3e}   {:>7.2f}", iteration.iteration, iteration.residual,
                        iteration.seconds));
  log_.progress(fmt::format("iteration {} ...", iteration.iteration + 1));
}

std::string residuals_csv(const bem::Solution& solution) {
  std::string text = "iteration,residual\n";
  for (std::size_t i = 0; i < solution.gmres.history.size(); ++i) {
    text += fmt::format("{},{:.17g}\n", i, solution.gmres.history[i]);
  }
  return text;
}

void describe_case(const Case& flow_case, Log& log) {
  log.title(flow_case.title);
  log.fact("rankine", fmt::format("{} ({})", build_info().version, build_info().git));
  log.fact("case", flow_case.path.string());
  if (flow_case.problem.kind != ProblemKind::flow) return;
  const Vec3d& u = flow_case.problem.velocity;
  log.fact("stream", fmt::format("({:.6g}, {:.6g}, {:.6g}) m/s, density {:.6g} kg/m^3", u.x, u.y,
                                 u.z, flow_case.problem.density));
}

namespace {

std::string why_not_raised(const bem::FarFieldAccuracy& accuracy, fmm::Precision precision) {
  switch (accuracy.limit) {
    case bem::RaiseLimit::order_given:
      return "fmm.order is given; leave it out to have it follow from fmm.tolerance";
    case bem::RaiseLimit::precision:
      return fmt::format(
          "sums in {} keep no more; {}", word(precision_words, precision),
          precision == fmm::Precision::float32 ? "use fmm.precision = \"double\"" : "ask for less");
    case bem::RaiseLimit::no_gain:
      return "a higher order does not lessen it; ask for less, or check the mesh";
    case bem::RaiseLimit::raised_enough:
      return fmt::format("the order was raised {} times; set fmm.tolerance to {:.0e}",
                         accuracy.raises.size(), 0.1 * accuracy.tolerance);
    case bem::RaiseLimit::memory:
      return "a higher order does not fit into memory";
    case bem::RaiseLimit::none:
      break;
  }
  return "the solver ended before the order could be raised";
}

void describe_accuracy(const bem::FarFieldAccuracy& accuracy, fmm::Precision precision, Log& log) {
  for (const bem::FarFieldRaise& raise : accuracy.raises) {
    log.fact("raised",
             fmt::format("order {} to {}: error {:.1e} of the {}, {:.1e} asked", raise.order_before,
                         raise.order, raise.error, bem::to_string(raise.vector), accuracy.asked));
  }
  if (accuracy.kept()) return;
  const bem::SolveVector worst = accuracy.worst();
  log.warning(fmt::format(
      "the sums of the far field err by {:.1e} on the {}, where fmm.tolerance asks for {:.1e}: {}",
      accuracy.error(worst), bem::to_string(worst), accuracy.asked,
      why_not_raised(accuracy, precision)));
}

}  // namespace

void describe_panels(const bem::Panels& panels, bem::PanelGeometry kind, Log& log) {
  std::string text(word(panel_words, kind));
  if (kind == bem::PanelGeometry::curved) {
    text += fmt::format(": {} of {} follow the surface",
                        show_count(static_cast<long long>(panels.curves.curved)),
                        show_count(static_cast<long long>(panels.size())));
    if (panels.curves.straight > 0)
      text += fmt::format(", {} with edges left straight where the fit is not to be trusted",
                          show_count(static_cast<long long>(panels.curves.straight)));
  }
  log.fact("panels", text);
}

void describe_solution(const bem::Solution& solution, bem::Backend& backend, int threads,
                       Log& log) {
  const bem::GmresResult& gmres = solution.gmres;
  log.blank();
  log.fact("solver",
           fmt::format("{} in {}, true residual {:.2e}",
                       gmres.status == bem::GmresStatus::converged
                           ? std::string("converged")
                           : fmt::format("not converged ({})", bem::to_string(gmres.status)),
                       gmres.iterations == 1 ? std::string("1 iteration")
                                             : fmt::format("{} iterations", gmres.iterations),
                       gmres.true_residual));
  log.fact("preconditioner", word(preconditioner_words, solution.preconditioner));
  log.fact("backend", backend.memory_space() == bem::MemorySpace::host
                          ? fmt::format("cpu: {}, {} threads", backend.device(), threads)
                          : fmt::format("{}: {}", backend.name(), backend.device()));
  const fmm::OperatorInfo& far = solution.fmm;
  log.fact("far field",
           fmt::format("{}, {}, order {}, depth {}; error {:.1e} sampled, {:.1e} asked",
                       word(method_words, far.method),
                       precision_word(far.precision, solution.mixed_precision), far.order,
                       far.depth, solution.fmm_sampled_error, solution.accuracy.asked));
  describe_accuracy(solution.accuracy, far.precision, log);
  log.fact("near field",
           fmt::format("{} entries, {}", show_count(static_cast<long long>(solution.near_entries)),
                       show_bytes(static_cast<double>(solution.near_bytes))));
}

namespace {

void describe_values(const Summary& s, Log& log) {
  const std::string cp = s.has_Cp ? fmt::format("Cp {:.4f} .. {:.4f}, ", s.Cp_min, s.Cp_max) : "";
  const std::string speed = s.has_pressure ? fmt::format("largest speed {:.5g} m/s", s.U_max)
                                           : fmt::format("largest gradient {:.5g} per m", s.U_max);
  log.fact("results", cp + speed);
  if (!s.has_Cp) log.fact("potential", fmt::format("{:.6g} .. {:.6g}", s.phi_min, s.phi_max));
  for (const auto& [patch, flux] : s.patch_fluxes) {
    if (s.has_Cp || s.patch_fluxes.size() > 8) break;
    log.fact("", fmt::format("{:.6g} flux through {}", flux, patch));
  }
  if (s.removed_flux != 0.0) {
    log.fact("net flux", fmt::format("{:.3g} m^3/s of the data, which no potential has, was taken "
                                     "evenly from all panels",
                                     s.removed_flux));
  }
}

void describe_forces(const Summary& s, Log& log) {
  log.fact("force", fmt::format("({:.3e}, {:.3e}, {:.3e}) N", s.force.x, s.force.y, s.force.z));
  for (const auto& [patch, force] : s.patch_forces) {
    if (s.patch_forces.size() < 2 || s.patch_forces.size() > 8) break;
    log.fact("", fmt::format("({:.3e}, {:.3e}, {:.3e}) N on {}", force.x, force.y, force.z, patch));
  }
}

void describe_conductors(const ElectricResults& electric, Log& log) {
  bool first = true;
  for (const ConductorResult& each : electric.conductors) {
    log.fact(first ? "conductors" : "",
             fmt::format("{}: {:.6g} V, {:.6g} C, force ({:.3e}, {:.3e}, {:.3e}) N", each.name,
                         each.potential, each.charge, each.force.x, each.force.y, each.force.z));
    first = false;
  }
  first = true;
  for (const BodyForce& each : electric.bodies) {
    if (electric.conductors.size() == electric.bodies.size() || electric.bodies.size() > 8) break;
    log.fact(first ? "bodies" : "", fmt::format("{}: force ({:.3e}, {:.3e}, {:.3e}) N", each.name,
                                                each.force.x, each.force.y, each.force.z));
    first = false;
  }
  const std::size_t count = electric.capacitance.size();
  if (count > 0)
    log.fact("matrix", fmt::format("capacitances {0} x {0}, F, asymmetry {1:.1e}", count,
                                   electric.asymmetry));
  for (const std::vector<double>& row : electric.capacitance) {
    if (count <= 8) log.fact("", fmt::format("{:.6g}", fmt::join(row, "  ")));
  }
  log.fact("energy", fmt::format("{:.6g} J", electric.energy));
}

void describe_added_mass(const AddedMassMatrix& added, Log& log) {
  for (std::size_t b = 0; b < added.centres.size() && b < 4; ++b) {
    std::string diagonal;
    for (std::size_t k = 6 * b; k < 6 * b + 6; ++k)
      diagonal += fmt::format("{}{:.5g}", k > 6 * b ? ", " : "", added.matrix[k][k]);
    log.fact(b == 0 ? "added mass" : "",
             fmt::format("{}: {} (kg, kg m^2)",
                         added.modes[6 * b].substr(0, added.modes[6 * b].size() - 2), diagonal));
  }
  log.fact("", fmt::format("{} modes in {} iterations, asymmetry {:.1e}", added.modes.size(),
                           added.iterations, added.asymmetry));
}

void describe_errors(const Summary& s, Log& log) {
  const auto error = [](const char* what, const auto& of) {
    return fmt::format("{} {:.1e} (largest {:.1e})", what, of.l2, of.max);
  };
  std::string text = "estimated, relative L2: " + error("potential", s.errors.potential) + ", " +
                     error(s.has_pressure ? "velocity" : "gradient", s.errors.velocity);
  if (s.has_Cp) text += ", " + error("Cp", s.errors.cp);
  log.fact("errors", text);
  if (!s.has_pressure) return;
  log.fact("", fmt::format("force {:.1e} N, added mass {:.1e} m/s", s.errors.force,
                           s.errors.added_mass));
}

}  // namespace

void describe_results(const Summary& s, const std::filesystem::path& folder,
                      const std::string& advice, Log& log) {
  describe_values(s, log);
  if (s.has_pressure) describe_forces(s, log);
  if (s.electric) describe_conductors(*s.electric, log);
  if (s.added_mass_matrix) describe_added_mass(*s.added_mass_matrix, log);
  describe_errors(s, log);
  if (s.verify) {
    log.fact("verify",
             fmt::format("{}: potential {:.2e}, velocity {:.2e} (relative L2), added mass {:.2e}",
                         s.verify->exact, s.verify->potential_l2, s.verify->velocity_l2,
                         s.verify->added_mass.value_or(0.0)));
  }
  std::string phases;
  for (const auto& [name, seconds] : s.seconds) {
    if (name != "matvec" && name != "check" && name != "raise")
      phases += fmt::format("{}{} {:.2f}", phases.empty() ? "" : ", ", name, seconds);
  }
  log.fact("seconds", phases);
  const auto host = static_cast<double>(s.peak_host_bytes),
             device = static_cast<double>(s.peak_device_bytes);
  log.fact("memory",
           fmt::format("{} at most{}", show_bytes(host),
                       device > 0.0 ? fmt::format(", {} on the device", show_bytes(device)) : ""));
  std::string files;
  for (const std::string& file : s.files) files += (files.empty() ? "" : " ") + file;
  log.fact("written", fmt::format("{}/: {}", folder.string(), files));
  log.fact("open", fmt::format("paraview {}", (folder / "surface.vtp").string()));
  if (s.verify) {
    for (const std::string& limit : s.verify->exceeded) log.error(limit);
  }
  if (s.exit_code == exit_not_converged) {
    log.error(fmt::format(
        "not converged ({}): the residual is {:.2e}, asked {:.2e}; the results are written but are "
        "not a solution. Raise {}solver.restart, or check the mesh{}",
        s.status, s.true_residual, s.tolerance,
        s.status == bem::to_string(bem::GmresStatus::stagnated) ? "" : "solver.max_iterations or ",
        advice));
  }
}

std::vector<std::pair<std::string, double>> phase_seconds(const Phases& phases,
                                                          const bem::Solution& solution) {
  const bem::SolveTimes& times = solution.seconds;
  return {
      {"mesh", phases.seconds("mesh")},
      {"setup", phases.seconds("device") + phases.seconds("panels") + phases.seconds("estimate") +
                    times.setup + times.near_field + times.preconditioner + times.right_hand_side},
      {"solve", times.solve},
      {"evaluate", times.evaluate + phases.seconds("evaluate")},
      {"write", phases.seconds("write")},
      {"total", phases.total()},
      {"matvec", times.matvec},
      {"check", times.check},
      {"raise", times.raise}};
}

}  // namespace rankine::cases
