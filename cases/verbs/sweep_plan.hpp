// What `rankine sweep` does: the cases, each with its folder, and the parts, whose cases are solved
// at once.
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
  std::optional<Case> surface;  ///< none: particles, or refused
  std::string resolved;         ///< case.resolved.toml
  std::exception_ptr refused;   ///< why the case cannot be read; null: it can
};

struct SweepPlan {
  std::filesystem::path folder;
  Sweep sweep;
  std::vector<PlannedCase> cases;
  /// Indices of cases that are solved at once, because they differ in the stream alone. Parts that
  /// read the same mesh follow each other.
  std::vector<std::vector<std::size_t>> parts;
};

/// Throws InputError if the file has no [sweep], or a wrong one. A case that cannot be read is
/// kept, with what is wrong.
SweepPlan plan_sweep(const SweepArguments& arguments);

/// summary.json of the case; none if there is none that can be read.
std::optional<Json> summary_of(const PlannedCase& planned);

/// The results of an earlier run of the case, if they are complete, of the same keys, and no older
/// than the files that it reads.
std::optional<Json> results_of(const PlannedCase& planned);

/// A script for Slurm: an array with a task for each part, then the table. `command`: the command
/// line, quoted for a shell, without --slurm.
std::string slurm_script(const SweepPlan& plan, const std::string& command);

}  // namespace rankine::cases
