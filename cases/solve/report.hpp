// The log of a running solve: facts about the case, the residual table, the seconds of phases.
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

/// Shows which iteration runs, and the time until all right-hand sides have the tolerance if their
/// residuals fall as so far.
class IterationProgress {
 public:
  IterationProgress(double tolerance, Log& log) : tolerance_(tolerance), log_(log) {}
  void show(const bem::GmresIteration& last, const std::string& stage);

 private:
  double tolerance_, left_ = 0.0;
  int iteration_ = 0;
  Log& log_;
};

/// One line per iteration.
class ResidualTable {
 public:
  ResidualTable(double tolerance, Log& log) : log_(log), progress_(tolerance, log) {}
  void add(const bem::GmresIteration& iteration);

 private:
  Log& log_;
  IterationProgress progress_;
  bool begun_ = false;
};

/// "iteration,residual" and one line per iteration, the initial guess first.
std::string residuals_csv(const bem::Solution& solution);

void describe_case(const Case& flow_case, Log& log);
void describe_panels(const bem::Panels& panels, bem::PanelGeometry kind, Log& log);
/// How the solve went; warns if the far field does not keep its tolerance.
void describe_solution(const bem::Solution& solution, const bem::Backend& backend, Log& log);

/// Errors for limits of [verify] that are exceeded, and for a solve that has not converged.
/// `advice`: how to continue with it.
void describe_failures(const Summary& summary, const bem::GmresResult& gmres, double tolerance,
                       const std::string& advice, Log& log);

/// mesh, setup, solve, evaluate, added_mass if there are modes, write, total; then parts of these:
/// matvec, check, raise.
std::vector<std::pair<std::string, double>> phase_seconds(const Phases& phases,
                                                          const bem::Solution& solution,
                                                          bool has_modes);

}  // namespace rankine::cases
