// Loads and summary of a solved case.
#pragma once

#include "cases/output/summary.hpp"
#include "cases/solve/solved_case.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// Pressure loads, if the problem has a pressure, and `added_mass` from the potential.
SurfaceLoads find_loads(const Case& flow_case, const LoadedMesh& loaded,
                        const bem::FlowProblem& problem, const bem::SurfaceFits& fits);

/// The object "fmm" of the summary: the method of the far field.
Json far_field_json(const bem::Solution& solution, const std::string& backend);

/// The summary without seconds, peak host memory, files and warnings, which are not known yet. Its
/// exit code depends on whether all solves have converged and the limits of [verify] hold.
Summary summarize(const SolvedCase& solved, const bem::Backend& backend);

}  // namespace rankine::cases
