// The plan of `rankine sweep`: the cases, each with its folder, and the parts, groups of cases that
// are solved together.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/sweep.hpp"
#include "cases/output/sweep_table.hpp"
#include "cases/verbs/verbs.hpp"

namespace rankine::cases {

struct PlannedCase {
  SolveArguments arguments;
  bool has_particles = false;
  std::optional<Case> surface;  ///< empty for particles and for refused cases
  std::string resolved;         ///< case.resolved.toml
  std::exception_ptr refused;   ///< the error from reading the case; null: none
};

struct SweepPlan {
  std::filesystem::path folder;
  Sweep sweep;
  std::vector<PlannedCase> cases;
  /// Indices of cases that are solved together because they differ only in the stream. Parts with
  /// the same mesh are consecutive.
  std::vector<std::vector<std::size_t>> parts;
};

/// Throws InputError if the file has no valid [sweep]. A case that cannot be read is kept with its
/// error.
SweepPlan plan_sweep(const SweepArguments& arguments);

/// summary.json of the case; empty if it is missing or invalid.
std::optional<Json> summary_of(const PlannedCase& planned);

/// The results of an earlier run of the case if they are complete, have the same keys, and are not
/// older than its input files.
std::optional<Json> results_of(const PlannedCase& planned);

/// A script for Slurm: a job array with one task per part, then a job for the table. `command`: the
/// command line without --slurm, quoted for a shell.
std::string slurm_script(const SweepPlan& plan, const std::string& command);

}  // namespace rankine::cases
