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

/// Identifies what the unknowns of a solve belong to: the mesh, the symmetry planes, the side of
/// the fluid, and on which panels the potential is known. Streams and values may differ.
std::string hash_of(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                    double mach = 0.0);

class Checkpoints {
 public:
  /// `resume_command`: the command line that continues from a checkpoint.
  Checkpoints(std::string resume_command, SignalWatch& watch)
      : resume_command_(std::move(resume_command)), watch_(watch) {}

  /// The unknowns in the checkpoint of `results`. Throws InputError if it is missing, damaged, or
  /// of another problem than that of `hash`.
  static std::vector<double> read(const ResultsDirectory& results, const std::string& hash,
                                  bem::Formulation formulation, std::size_t panels);

  /// The solver has an iterate: until save() a signal does not end the program immediately.
  void iterate_exists() {
    if (!hold_) hold_.emplace(watch_);
  }
  /// Writes the iterate of `solution`. Warns if it cannot be written.
  void save(const bem::Solution& solution, bem::Formulation formulation, const std::string& hash,
            ResultsDirectory& results, Log& log);
  /// Call when the results of a converged solve are in place.
  void remove(const ResultsDirectory& results);

  /// How to continue from what is saved; empty if nothing is.
  std::string advice() const;

 private:
  std::string resume_command_;
  SignalWatch& watch_;
  std::optional<SignalWatch::Hold> hold_;
  std::optional<int> saved_iteration_;
};

}  // namespace rankine::cases
