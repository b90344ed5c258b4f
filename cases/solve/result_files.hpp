// The result files of a solve: surface, views of the field, sections, residuals, resolved case.
#pragma once

#include <string>

#include "cases/output/results_directory.hpp"
#include "cases/solve/solved_case.hpp"

namespace rankine::cases {

/// The files that the case reads, and the names of files that the solve may write.
RunFiles files_of(const Case& flow_case, bool force);

/// Writes all files except the summary. Several processes write a large surface in pieces, one per
/// process; otherwise the first one writes all files. Throws Stopped between two files on a stop
/// request.
void write_files(const SolvedCase& solved, ResultsDirectory& results, Log& log);

/// The name of the written file with the surface: surface.vtp, or surface.pvtp of pieces.
std::string surface_file(const ResultsDirectory& results);

}  // namespace rankine::cases
