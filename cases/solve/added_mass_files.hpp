// The modes of an added-mass matrix, the matrix with its names and units, and its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/solve/case_bodies.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::cases {

/// Further modes: one column of `problem.modes` each.
struct FurtherModes {
  std::vector<std::string> names;
  std::vector<double> displacements;  ///< into the fluid, modes x panels
};

/// Rows and columns body by body x, y, z, rx, ry, rz, then further modes.
struct AddedMassMatrix {
  std::string limit;               ///< "_infinite" beneath a free surface at fast motions, else ""
  std::vector<std::string> modes;  ///< "hull x", ...
  std::vector<Vec3d> centres;      ///< of every body, m
  std::vector<std::vector<double>> matrix;          ///< kg, kg m, kg m^2
  std::vector<std::vector<double>> nondimensional;  ///< over rho V, rho V^(4/3), rho V^(5/3)
  double asymmetry = 0.0;                           ///< of the matrix found, relative
  int iterations = 0;                               ///< most of any mode
  bool converged = true;                            ///< all modes
};

/// None if the case names no file. Throws InputError.
FurtherModes read_modes(const Case& flow_case, const meshes::SurfaceMesh& mesh);

/// The number of right-hand sides that the largest solve of the case keeps in memory at once: modes
/// of `bodies` bodies and further ones, or conductors.
int modes_held(const Case& flow_case, std::size_t bodies, const FurtherModes& further);

/// The matrix that was found, with names of modes ("surge" to "yaw" if bodies float) and in both
/// units.
AddedMassMatrix describe(const bem::AddedMass& found, const CaseBodies& bodies,
                         const FurtherModes& further, double density, bool floats = false);

/// Solves for the modes of the problem's bodies: of whole bodies where planes halve them, and
/// beneath a free surface in the limits of slow motions (dphi/dn = 0 there) and of fast ones
/// (phi = 0). Throws as bem::added_mass() does.
std::vector<AddedMassMatrix> solve_modes(const Case& flow_case, const bem::FlowProblem& problem,
                                         CaseBodies bodies, const FurtherModes& further,
                                         const bem::FlowOptions& options, bem::Backend& backend);

/// A header with the modes, then one line per mode with its name and its row, SI units.
std::string added_mass_csv(const AddedMassMatrix& matrix);
/// The same with units, centres and the non-dimensional matrix.
std::string added_mass_json(const AddedMassMatrix& matrix, double density);

/// Both limits in Capytaine's layout: added_mass(omega, radiating_dof, influenced_dof) at the
/// angular frequencies 0 and infinity, and its coordinates, as NetCDF.
std::string added_mass_netcdf(const std::vector<AddedMassMatrix>& limits, double density);

/// A warning if planes that neither halve bodies nor are a free surface do not allow some rigid
/// modes of a body with its images.
std::optional<std::string> warning_of_modes(const ProblemInput& problem);

}  // namespace rankine::cases
