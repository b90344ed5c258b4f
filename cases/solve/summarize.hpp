// The loads of a solved case, and its summary.
#pragma once

#include "cases/output/summary.hpp"
#include "cases/solve/solved_case.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// Of the pressure, if the problem has one, and of the potential.
SurfaceLoads find_loads(const Case& flow_case, const LoadedMesh& loaded,
                        const bem::FlowProblem& problem, const bem::SurfaceFits& fits);

/// The group "fmm": how the far field of a solve was summed.
Json far_field_json(const bem::Solution& solution, const std::string& backend);

/// All but seconds, peak memory of the host, files and warnings, which are not known yet. The exit
/// code says whether all solves have converged and the limits of [verify] hold.
Summary summarize(const SolvedCase& solved, const bem::Backend& backend);

}  // namespace rankine::cases
