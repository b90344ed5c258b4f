// The files of a solve: the surface, views of the field, sections, residuals, the resolved case.
#pragma once

#include "cases/output/results_directory.hpp"
#include "cases/solve/solved_case.hpp"

namespace rankine::cases {

/// The files that the case reads, and the names of those that the solve may write.
RunFiles files_of(const Case& flow_case, bool force);

/// All but the summary. Throws Stopped between two files if the thread is asked to stop.
void write_files(const SolvedCase& solved, ResultsDirectory& results, Log& log);

}  // namespace rankine::cases
