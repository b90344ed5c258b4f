// Conductors of a case in one medium: the potentials of those that float, charges, energy and forces.
//
// Every [[boundary]] of an electrostatic case is one conductor, whatever its patches.
//
//   Q_i = sum_j C_ij V_j ,   W = (1/2) sum_i Q_i V_i ,   F_i = (epsilon/2) int_i (dphi/dn)^2 n dA
//
// the charge of both sides and the mean of their fields where a conductor is thin. n into the dielectric: the field pulls at a conductor's surface [J99 sec. 1.11].
#pragma once

#include <span>

#include "cases/input/case.hpp"
#include "rankine/bem/electric/conductors.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

struct ConductorResult {
  std::string name;
  double potential = 0.0, charge = 0.0;  ///< V, C
  Vec3d force{};                         ///< N
};

/// The force on a closed surface and everything within it.
struct BodyForce {
  std::string name;
  Vec3d force{};  ///< N
};

struct ElectricResults {
  std::vector<ConductorResult> conductors;
  std::vector<BodyForce> bodies;
  std::vector<std::vector<double>> capacitance;  ///< rows, F
  double asymmetry = 0.0;                        ///< of the matrix found, relative
  double energy = 0.0;                           ///< J
  struct Error {
    std::string key, name;
    double value;
    std::string unit;  ///< with what separates it from the value
  };
  /// Estimated: the largest of the forces on bodies, of the matrix relative to the roots of both
  /// diagonal entries, and of the energy.
  std::vector<Error> errors;
};

/// Of the medium, F/m.
double permittivity(const Case& flow_case);

/// The conductor of every panel: the index of its boundary.
std::vector<std::int32_t> conductor_of_panel(const Case& flow_case,
                                             const meshes::SurfaceMesh& mesh);

/// Solves for the capacitance, and puts the potential of every conductor on its panels. Throws
/// InputError where charges leave potentials open; Stopped.
bem::Capacitance solve_network(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                               bem::FlowProblem& problem, const bem::FlowOptions& options,
                               bem::Backend& backend);

/// "left+right", its patches.
std::string name_of(const BoundaryInput& boundary);

/// Puts the matrix, and its error and that of the energy for the potentials in `results`.
void put_matrix(const bem::Capacitance& capacitance, ElectricResults& results);

/// What follows from the solution with these potentials. `errors` of the field, V/m per panel.
ElectricResults describe(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                         const bem::FlowProblem& problem, const bem::Solution& solution,
                         const bem::Capacitance& capacitance, std::span<const double> errors);

/// Adds cell data `charge` (C/m^2, of both sides where there is no thickness) and `E` (V/m).
void add_electric_fields(const Case& flow_case, const bem::FlowProblem& problem,
                         const bem::Solution& solution, meshes::Fields& fields);

}  // namespace rankine::cases
