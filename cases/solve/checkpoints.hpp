// The checkpoint of a running solve, and how a run ends that was asked to stop.
#pragma once

#include <optional>
#include <string>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/signal_watch.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

class Checkpoints {
 public:
  Checkpoints(const Case& flow_case, SignalWatch& watch) : case_(flow_case), watch_(watch) {}

  /// The solver has an iterate: from now to save() it is not to be lost to haste.
  void iterate_exists() {
    if (!hold_) hold_.emplace(watch_);
  }
  /// Leaves the iterate of `solution` for --resume. That it cannot be written is a warning.
  void save(const bem::Solution& solution, ResultsDirectory& results, Log& log);

  /// The results are in place, and the checkpoint is gone.
  void done() { saved_iteration_.reset(); }

  /// What to tell the user of a run that was stopped during `phase`.
  std::string farewell(const std::string& phase) const;
  /// How to go on from what is saved; empty where nothing is.
  std::string advice() const;

 private:
  const Case& case_;
  SignalWatch& watch_;
  std::optional<SignalWatch::Hold> hold_;
  std::optional<int> saved_iteration_;
};

}  // namespace rankine::cases
