// Electrostatics of a case: charges, forces and energy with conductors and dielectrics
// (bem/electric/media.hpp).
#pragma once

#include <span>

#include "cases/input/case.hpp"
#include "rankine/bem/electric/dielectrics.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

struct ConductorResult {
  std::string name;
  double potential = 0.0, charge = 0.0;  ///< V, C
  Vec3d force{};                         ///< N
};

/// The force on a closed surface with everything inside.
struct BodyForce {
  std::string name;
  Vec3d force{};  ///< N
};

struct ElectricResults {
  std::vector<ConductorResult> conductors;
  std::vector<BodyForce> bodies;
  std::vector<std::vector<double>> capacitance;  ///< rows, F
  double asymmetry = 0.0;                        ///< relative, of the matrix before it is made
                                                 ///< symmetric
  double energy = 0.0;                           ///< J
  struct Error {
    std::string key, name;
    double value;
    std::string unit;  ///< with its separator, as in " N"
  };
  /// Estimated errors: the largest of the forces on bodies; the largest of the matrix, relative to
  /// the geometric mean of the two diagonal entries; that of the energy.
  std::vector<Error> errors;
};

struct SolvedMedia {
  bem::ElectricProblem problem;
  bem::ElectricResponse response;
  bem::ElectricSolution solution;
  bem::ElectricLoads loads;

  bool converged() const { return response.capacitance.converged() && solution.converged; }
};

/// `problem`: has the panels of the case. Throws InputError if the charges do not determine the
/// potentials; throws Stopped.
SolvedMedia solve_media(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                        const bem::FlowProblem& problem, const bem::FlowOptions& options,
                        bem::Backend& backend);

/// The total potential and its gradient on the outside of panels, in the form of a Solution for
/// output.
bem::Solution as_solution(const SolvedMedia& solved);

/// `errors`: estimated error of the field on each panel, V/m.
ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const SolvedMedia& solved, std::span<const double> errors);

/// Adds cell data `charge` (C/m^2: free charge on conductors, both sides together on thin ones;
/// bound charge on interfaces), `E` and, with dielectrics, `E_inside` (V/m).
void add_fields(const SolvedMedia& solved, meshes::Fields& fields);

}  // namespace rankine::cases
