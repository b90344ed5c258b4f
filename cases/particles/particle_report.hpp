// Log and warnings of a particle run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cases/output/log.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/simulation.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

void describe_particle_case(const ParticleCase& given, Log& log);
void describe_sum(const ParticleCase& given, const Simulation& simulation,
                  const bem::Backend& backend, Log& log);

/// Logs changes of the summation method during a run, each method once.
class MethodLog {
 public:
  MethodLog(const fmm::OperatorInfo& first, Log& log) : log_(log), known_{first.method} {}
  void add(int step, const Simulation& simulation);

 private:
  Log& log_;
  std::set<fmm::Method> known_;
};
/// Warns if the error of the sums exceeds the tolerance; returns whether it did.
bool warn_of_sums(int step, const fmm::OperatorInfo& sum, const std::vector<Figure>& figures,
                  Log& log);
/// Warns of particles too far apart, of time steps too long and of drifting invariants. Skips the
/// figures in `warned` and adds to it those it has warned of.
void warn_of_figures(int step, const ParticleCase& given, const std::vector<Figure>& figures,
                     std::set<std::string>& warned, Log& log);
/// Fills in the groups and results of summary.json for a run up to `step`.
void summarize(const ParticleCase& given, const Simulation& simulation, int step,
               const std::vector<Figure>& figures, const std::string& backend, Summary& summary);

/// Logs a line for every output step and, on a terminal, the progress of the run.
class StepTable {
 public:
  /// Covers the steps of this run, from `first` (exclusive) to the last.
  StepTable(const ParticleCase& given, int first, Log& log)
      : given_(given), first_(first), log_(log) {}

  void progress(int step);
  void add(int step, const std::vector<std::string>& headlines, const std::vector<Figure>& figures);

  double steps_per_second(int step) const { return (step - first_) / watch_.seconds(); }

 private:
  double left(int step) const { return (given_.time.steps - step) / steps_per_second(step); }

  const ParticleCase& given_;
  int first_;
  Log& log_;
  Stopwatch watch_, since_shown_;
  bool begun_ = false;
};

}  // namespace rankine::cases
