// Conductors and dielectrics of a case: which medium is where.
//
// Every [[boundary]] of type "conductor" is one conductor, even with several patches. All
// interfaces are one surface between media. A body lies in the medium of the innermost body that
// encloses it.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/electric/media.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// In the order of the boundaries, which is that of the matrix.
std::vector<const BoundaryInput*> conductors_of(const Case& flow_case);

/// The conductor of every panel, a number in that order; -1: an interface.
std::vector<std::int32_t> conductor_of_panel(const Case& flow_case,
                                             const meshes::SurfaceMesh& mesh);

/// For a case that has more than conductors in one medium. Throws InputError for media that
/// contradict one another, and for bodies or charges within conductors; MeshError for an interior
/// that is not one connected domain.
bem::ElectricProblem make_electric_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh);

}  // namespace rankine::cases
