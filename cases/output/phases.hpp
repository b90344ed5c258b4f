// Measures the seconds of every phase of a run and of the stages within a phase.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/log.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

class Phases {
 public:
  explicit Phases(Log& log) : log_(log) {}

  /// Runs `work` as the phase `name`, shown by the log as progress. Returns the result of `work`.
  template <class Work>
  auto time(const std::string& name, Work&& work) {
    begin(name);
    const Stopwatch watch;
    struct Record {
      Phases& phases;
      const std::string& name;
      const Stopwatch& watch;
      ~Record() { phases.seconds_.emplace_back(name, watch.seconds()); }
    } record{*this, name, watch};
    return std::forward<Work>(work)();
  }

  /// Begins a stage of the running phase. Ends the stage before it and logs its seconds.
  void stage(const std::string& name);
  void end_stage();

  /// Total seconds of all phases with this name.
  double seconds(const std::string& name) const;
  double total() const { return total_.seconds() - forgotten_; }
  /// A point in time for forget_since().
  struct Mark {
    std::size_t phases;
    double total;
  };
  Mark mark() const { return {seconds_.size(), total()}; }
  /// Removes the seconds of phases that began after the mark.
  void forget_since(const Mark& mark) {
    forgotten_ += total() - mark.total;
    seconds_.resize(mark.phases);
  }
  /// The name of the phase or stage that began last.
  const std::string& current() const { return current_; }

 private:
  void begin(const std::string& name);

  Log& log_;
  Stopwatch total_;
  double forgotten_ = 0.0;
  std::string current_ = "reading the case";
  std::optional<Stopwatch> stage_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace rankine::cases
