// The checkpoint of a running solve.
#pragma once

#include <optional>
#include <string>

#include "cases/output/checkpoint.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/signal_watch.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Identifies the system of a solve: mesh, symmetry planes, side of the fluid, and the panels with
/// a known potential. Streams and boundary values may differ.
std::string hash_of(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                    double mach = 0.0);

class Checkpoints {
 public:
  /// `resume_command`: the command line that continues from a checkpoint.
  Checkpoints(std::string resume_command, SignalWatch& watch)
      : resume_command_(std::move(resume_command)), watch_(watch) {}

  /// The unknowns in the checkpoint of `results`. Throws InputError if it is missing, damaged, or
  /// of a problem with another hash.
  static std::vector<double> read(const ResultsDirectory& results, const std::string& hash,
                                  bem::Formulation formulation, std::size_t panels);

  /// Call when the solver has an iterate: until save() a signal does not end the program
  /// immediately.
  void iterate_exists() {
    if (!hold_) hold_.emplace(watch_);
  }
  /// Writes the iterate of `solution`. A failed write is a warning.
  void save(const bem::Solution& solution, bem::Formulation formulation, const std::string& hash,
            ResultsDirectory& results, Log& log);
  /// Removes the checkpoint; call when the results of a converged solve are in place.
  void remove(const ResultsDirectory& results);

  /// How to continue from the saved iterate; empty if none is saved.
  std::string advice() const;

 private:
  std::string resume_command_;
  SignalWatch& watch_;
  std::optional<SignalWatch::Hold> hold_;
  std::optional<int> saved_iteration_;
};

}  // namespace rankine::cases
