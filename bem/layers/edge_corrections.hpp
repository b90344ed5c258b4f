// Corrections of Green's formula phi/2 - D phi + S q = 0 near edges at which linear strengths are
// not accurate (bem/layers/edge_strengths.hpp). With the fits,
//
//   phi at the points = (1 + V) x ,   D x is replaced by D x + E x ,
//
// where E integrates the fitted strengths instead of linear ones on the panels close to a point,
// also across edges and on the other side of thin bodies. There the equations of the two sides
// determine only the sum of two facing values, and an error of one value would be divided by the
// thickness. V and E have entries only near edges.
#pragma once

#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/edge_strengths.hpp"
#include "rankine/bem/layers/formulation.hpp"
#include "rankine/bem/layers/source_panels.hpp"

namespace rankine::bem {

/// At sharp edges around which the fluid flows, where the unknowns are means over the panels: adds
/// V and E to `formulation`, which is green_formulation() with fluxes given everywhere. Returns the
/// fits.
std::vector<EdgeStrength> correct_at_edges(BoundaryFormulation& formulation,
                                           const CollocatedPanels& discretization);

/// At the edges where sheets begin (SourceSet::edges), where the unknowns are values at the points:
/// adds E to `formulation`, which is green_with_sheets() with fluxes given everywhere.
void correct_at_sheets(BoundaryFormulation& formulation, const SourcePanels& discretization);

}  // namespace rankine::bem
