// The result files of a solve: surface, views of the field, sections, residuals, resolved case.
#pragma once

#include "cases/output/results_directory.hpp"
#include "cases/solve/solved_case.hpp"

namespace rankine::cases {

/// The files that the case reads, and the names of files that the solve may write.
RunFiles files_of(const Case& flow_case, bool force);

/// Writes all files except the summary. Throws Stopped between two files on a stop request.
void write_files(const SolvedCase& solved, ResultsDirectory& results, Log& log);

}  // namespace rankine::cases
