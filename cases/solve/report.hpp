// Log output of a solve: facts about the case, the residual table, the seconds of phases.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/output/phases.hpp"
#include "cases/output/summary.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

/// Shows the iteration on the progress line, and the remaining time, extrapolated from the
/// residuals of all right-hand sides.
class IterationProgress {
 public:
  IterationProgress(double tolerance, Log& log) : tolerance_(tolerance), log_(log) {}
  void show(const bem::GmresIteration& last, const std::string& stage);

 private:
  double tolerance_, left_ = 0.0;
  int iteration_ = 0;
  Log& log_;
};

/// Logs one line per iteration.
class ResidualTable {
 public:
  ResidualTable(double tolerance, Log& log) : log_(log), progress_(tolerance, log) {}
  void add(const bem::GmresIteration& iteration);

 private:
  Log& log_;
  IterationProgress progress_;
  bool begun_ = false;
};

/// The heading "iteration,residual" and one line per iteration, beginning with the initial guess.
std::string residuals_csv(const bem::Solution& solution);

void describe_case(const Case& flow_case, Log& log);
void describe_panels(const bem::Panels& panels, bem::PanelGeometry kind, Log& log);
/// Logs the solve; warns if the far field exceeds its tolerance.
void describe_solution(const bem::Solution& solution, const bem::Backend& backend, Log& log);

/// Logs errors for exceeded limits of [verify] and for a solve that has not converged. `advice`:
/// how to continue it.
void describe_failures(const Summary& summary, const bem::GmresResult& gmres, double tolerance,
                       const std::string& advice, Log& log);

/// Phases: mesh, setup, solve, evaluate, added_mass if there are modes, write, total. Then their
/// stages: matvec, check, raise.
std::vector<std::pair<std::string, double>> phase_seconds(const Phases& phases,
                                                          const bem::Solution& solution,
                                                          bool has_modes);

}  // namespace rankine::cases
