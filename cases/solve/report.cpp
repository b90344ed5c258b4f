#include "cases/solve/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::cases {

void IterationProgress::show(const bem::GmresIteration& last, const std::string& stage) {
  if (last.iteration != iteration_) left_ = 0.0;
  iteration_ = last.iteration;
  if (last.residual > tolerance_ && last.residual < 1.0)
    left_ = std::max(left_, last.seconds * (std::log(tolerance_) / std::log(last.residual) - 1.0));
  log_.progress(fmt::format("{}, iteration {}", stage, last.iteration + 1), left_);
}

void ResidualTable::add(const bem::GmresIteration& iteration) {
  if (!begun_) {
    log_.blank();
    log_.line("  iteration    residual   seconds");
    begun_ = true;
  }
  log_.line(fmt::format("  {:>9}   {:>9.3e}   {:>7.2f}", iteration.iteration, iteration.residual,
                        iteration.seconds));
  progress_.show(iteration, "GMRES");
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
  log.fact("stream", fmt::format("{:.6g} m/s, density {:.6g} kg/m^3", flow_case.problem.velocity,
                                 flow_case.problem.density));
}

namespace {

std::string why_not_refined(const bem::FarFieldAccuracy& accuracy, fmm::Precision precision) {
  switch (accuracy.limit) {
    case bem::RefinementLimit::order_given:
      return "fmm.order is given; leave it out to have it follow from fmm.tolerance";
    case bem::RefinementLimit::precision:
      return fmt::format("sums in {} are not more precise; {}", word(precision_words, precision),
                         precision == fmm::Precision::float32 ? "use fmm.precision = \"double\""
                                                              : "use a larger fmm.tolerance");
    case bem::RefinementLimit::no_gain:
      return "a higher order does not reduce it; use a larger fmm.tolerance, or check the mesh";
    case bem::RefinementLimit::refined_enough:
      return fmt::format("the order was raised {} times; set fmm.tolerance to {:.0e}",
                         accuracy.refinements.size(), 0.1 * accuracy.tolerance);
    case bem::RefinementLimit::memory:
      return "a higher order does not fit into memory";
    case bem::RefinementLimit::none:
      break;
  }
  return "the solver ended before the order could be raised";
}

void describe_accuracy(const bem::FarFieldAccuracy& accuracy, fmm::Precision precision, Log& log) {
  for (const bem::FarFieldRefinement& refinement : accuracy.refinements) {
    log.fact("raised", fmt::format("order {} to {}: error {:.1e} of the {}, {:.1e} asked",
                                   refinement.order_before, refinement.order, refinement.error,
                                   bem::to_string(refinement.vector), accuracy.asked));
  }
  if (accuracy.kept()) return;
  const bem::SolveVector worst = accuracy.worst();
  log.warning(fmt::format(
      "the sums of the far field err by {:.1e} on the {}, where fmm.tolerance asks for {:.1e}: {}",
      accuracy.error(worst), bem::to_string(worst), accuracy.asked,
      why_not_refined(accuracy, precision)));
}

}  // namespace

void describe_panels(const bem::Panels& panels, bem::PanelGeometry kind, Log& log) {
  std::string text(word(panel_words, kind));
  if (kind == bem::PanelGeometry::curved) {
    text += fmt::format(": {} of {} follow the surface", show_count(panels.curves.curved),
                        show_count(panels.size()));
    if (panels.curves.straight > 0)
      text += fmt::format(", {} have straight edges because the fit is unreliable there",
                          show_count(panels.curves.straight));
  }
  log.fact("panels", text);
}

void describe_solution(const bem::Solution& solution, const bem::Backend& backend, Log& log) {
  const bem::GmresResult& gmres = solution.gmres;
  log.blank();
  log.fact("solver",
           fmt::format("{} in {}, true residual {:.2e}",
                       gmres.status == bem::GmresStatus::converged
                           ? std::string("converged")
                           : fmt::format("not converged ({})", bem::to_string(gmres.status)),
                       meshes::counted(static_cast<std::size_t>(gmres.iterations), "iteration"),
                       gmres.true_residual));
  log.fact("preconditioner", word(preconditioner_words, solution.preconditioner));
  log.fact("backend", show_backend(backend));
  const fmm::OperatorInfo& far = solution.fmm;
  log.fact("far field",
           fmt::format("{}, {}, order {}, depth {}; error {:.1e} sampled, {:.1e} asked",
                       word(method_words, far.method),
                       precision_word(far.precision, solution.mixed_precision), far.order,
                       far.depth, solution.fmm_sampled_error, solution.accuracy.asked));
  describe_accuracy(solution.accuracy, far.precision, log);
  log.fact("near field", fmt::format("{} entries, {}", show_count(solution.near_entries),
                                     show_bytes(static_cast<double>(solution.near_bytes))));
}

void describe_failures(const Summary& summary, const bem::GmresResult& gmres, double tolerance,
                       const std::string& advice, Log& log) {
  if (!summary.verify.is_null()) {
    for (const Json& limit : summary.verify["exceeded"]) log.error(limit.get<std::string>());
  }
  if (summary.exit_code != exit_not_converged) return;
  if (summary.status == "meaningless") {
    log.error(
        "no digit of the velocities is right: their estimated error is larger than they are, or a "
        "closed body has a force; the results are written but are not a flow. Run rankine check on "
        "the case, and mesh again the places that it and the warnings name, or the whole surface "
        "(mesh.repair = [\"remesh\"])");
    return;
  }
  if (summary.status == "supersonic") {
    log.error(
        "the Mach number is above the critical one: the results are written but are not a flow");
    return;
  }
  const bool stagnated = gmres.status == bem::GmresStatus::stagnated;
  log.error(fmt::format(
      "not converged ({}): the residual is {:.2e}, asked {:.2e}; the results are written but are "
      "not a solution. Raise {}solver.restart, or check the mesh{}",
      summary.status, gmres.true_residual, tolerance, stagnated ? "" : "solver.max_iterations or ",
      advice));
}

std::vector<std::pair<std::string, double>> phase_seconds(const Phases& phases,
                                                          const bem::Solution& solution,
                                                          bool has_modes) {
  const bem::SolveTimes& times = solution.seconds;
  std::vector<std::pair<std::string, double>> seconds{
      {"mesh", phases.seconds("mesh")},
      {"setup", phases.seconds("device") + phases.seconds("panels") + phases.seconds("estimate") +
                    times.setup + times.near_field + times.preconditioner + times.right_hand_side},
      {"solve", times.solve},
      {"evaluate", times.evaluate + phases.seconds("evaluate")},
      {"write", phases.seconds("write")},
      {"total", phases.total()},
      {"matvec", times.matvec},
      {"check", times.check},
      {"raise", times.refinement}};
  if (has_modes) seconds.insert(seconds.begin() + 4, {"added_mass", phases.seconds("added mass")});
  return seconds;
}

}  // namespace rankine::cases
