// The numbers of a finished solve.
#pragma once

#include "cases/input/case.hpp"
#include "cases/output/summary.hpp"
#include "cases/solve/load_mesh.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

/// Everything but seconds, threads, peak memory, files and warnings, which are not known here. The
/// exit code tells whether GMRES converged and the limits of [verify] hold.
Summary summarize(const Case& flow_case, const LoadedMesh& loaded, const bem::FlowProblem& problem,
                  const bem::Solution& solution, const bem::SurfaceFits& fits,
                  const bem::Backend& backend);

}  // namespace rankine::cases
