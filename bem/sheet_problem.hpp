// The jump of the potential across walls without thickness, from the flux that is wanted through them: the doublet
// sheet of bem/layers/doublet_sheet.hpp, solved by GMRES, scaled by the diagonal.
#pragma once

#include <span>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/layers/doublet_sheet.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"

namespace rankine::bem {

/// Solves H mu = `flux`, constant on panels, m/s, rhs x panels. `unknown` of what comes back is mu at the sheet's
/// nodes, `potential` and `doublet` its means over panels. The sums keep `options.fmm.tolerance` on the vorticity of
/// the solution. Throws InputError for options that have no meaning here (an initial guess, mixed precision,
/// relaxation, a preconditioner), Stopped where it was asked to stop before there is an iterate.
BoundarySolution solve_sheet(const DoubletSheet& sheet, std::span<const double> flux, int rhs,
                             const SolveOptions& options, const QuadratureOptions& quadrature,
                             Backend& backend);

}  // namespace rankine::bem
