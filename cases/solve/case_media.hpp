// Conductors and dielectrics of a case: which medium is where.
//
// Every [[boundary]] that is a conductor is one, whatever its patches; all interfaces are one
// surface between media. The medium around a body is that within the innermost body around it.
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

/// Of a case that has more than conductors in one medium. Throws InputError for media that
/// contradict one another, bodies within conductors and charges there; MeshError for an inside that
/// is not one.
bem::ElectricProblem make_electric_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh);

}  // namespace rankine::cases
