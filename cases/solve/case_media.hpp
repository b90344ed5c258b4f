// Conductors and dielectrics of a case, and the medium of each region.
//
// Every [[boundary]] of type "conductor" is one conductor, even with several patches. A body lies
// in the medium of the innermost body that encloses it.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/electric/media.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// The conductors in the order of [[boundary]] tables, which is that of the capacitance matrix.
std::vector<const BoundaryInput*> conductors_of(const Case& flow_case);

/// The conductor of every panel as an index in that order; -1: an interface.
std::vector<std::int32_t> conductor_of_panel(const Case& flow_case,
                                             const meshes::SurfaceMesh& mesh);

/// For cases with has_media(). Throws InputError for contradictory media and for bodies or charges
/// within conductors; MeshError for an interior that is not one connected domain.
bem::ElectricProblem make_electric_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh);

}  // namespace rankine::cases
