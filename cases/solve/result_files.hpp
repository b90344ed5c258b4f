// The files of a solve: the surface, views of the field, sections, residuals, the resolved case.
#pragma once

#include <optional>

#include "cases/output/results_directory.hpp"
#include "cases/solve/views.hpp"
#include "rankine/bem/flow/error_estimate.hpp"

namespace rankine::cases {

/// What the case reads, and the names of what write_files() and others may write of it.
RunFiles files_of(const Case& flow_case, bool force);

/// All but the summary. Throws Stopped between two files where the calling thread was asked to stop.
void write_files(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                 const bem::FlowProblem& problem, const bem::Solution& solution,
                 const bem::ErrorEstimate& errors, const Views& views,
                 const std::optional<SolvedMedia>& media, ResultsDirectory& results, Log& log);

}  // namespace rankine::cases
