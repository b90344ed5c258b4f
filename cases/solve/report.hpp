// What a solve says on its way: the log's facts, the residual table, the phases.
#pragma once

#include <filesystem>
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

/// One line per iteration.
class ResidualTable {
 public:
  explicit ResidualTable(Log& log) : log_(log) {}
  void add(const bem::GmresIteration& iteration);

 private:
  Log& log_;
  bool begun_ = false;
};

/// "iteration,residual" and one line per iteration, the initial guess first.
std::string residuals_csv(const bem::Solution& solution);

void describe_case(const Case& flow_case, Log& log);
/// Also warns of sums that do not keep what was asked.
void describe_panels(const bem::Panels& panels, bem::PanelGeometry kind, Log& log);
void describe_solution(const bem::Solution& solution, bem::Backend& backend, int threads, Log& log);
/// `advice`: how to go on with a solve that did not converge.
void describe_results(const Summary& summary, const std::filesystem::path& folder,
                      const std::string& advice, Log& log);

/// mesh, setup, solve, evaluate, write, total, and what is a part of these: matvec, check, raise.
std::vector<std::pair<std::string, double>> phase_seconds(const Phases& phases,
                                                          const bem::Solution& solution);

}  // namespace rankine::cases
