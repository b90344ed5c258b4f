// Conductors and dielectrics of a case: which medium is where, and what follows from the solution.
//
// Every [[boundary]] that is a conductor is one, whatever its patches; all interfaces are one surface
// between media. The medium around a body is that within the innermost body around it.
#pragma once

#include "cases/input/case.hpp"
#include "cases/solve/electrostatics.hpp"
#include "rankine/bem/electric/dielectrics.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Throws InputError for media that contradict one another, bodies within conductors and charges there;
/// MeshError for an inside that is not one.
bem::ElectricProblem make_electric_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh);

struct SolvedMedia {
  bem::ElectricProblem problem;
  bem::ElectricResponse response;
  bem::ElectricSolution solution;
  bem::ElectricLoads loads;

  bool converged() const { return response.capacitance.converged() && solution.converged; }
};

/// Throws InputError where charges leave potentials open; Stopped.
SolvedMedia solve_media(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                        const bem::FlowOptions& options, bem::Backend& backend);

/// The total potential and its gradient outside of panels, as what is written of a solution.
bem::Solution as_solution(const SolvedMedia& solved);

ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const SolvedMedia& solved, std::span<const double> errors);

/// The total potential and its gradient in all media; 1 inside of conductors.
bem::PotentialField field_at(const SolvedMedia& solved, std::span<const Vec3d> points,
                             const bem::FlowOptions& options, bem::Backend& backend);

/// Adds cell data `charge` (C/m^2: free on conductors, bound on interfaces), `E` and, where there are
/// interfaces, `E_inside` (V/m).
void add_fields(const SolvedMedia& solved, meshes::Fields& fields);

}  // namespace rankine::cases
