// The modes of an added-mass matrix; the matrix with names and units, and its files.
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

/// Further modes, one per column of the file `problem.modes`.
struct FurtherModes {
  std::vector<std::string> names;
  std::vector<double> displacements;  ///< normal displacements into the fluid, modes x panels
};

/// Rows and columns: x, y, z, rx, ry, rz of each body in turn, then further modes.
struct AddedMassMatrix {
  std::string limit;               ///< "_infinite" for fast motions beneath a free surface, else ""
  std::vector<std::string> modes;  ///< "hull x", ...
  std::vector<Vec3d> centres;      ///< centres of the bodies, m
  std::vector<std::vector<double>> matrix;          ///< kg, kg m, kg m^2
  std::vector<std::vector<double>> nondimensional;  ///< divided by rho V, rho V^(4/3), rho V^(5/3)
  double asymmetry = 0.0;                           ///< relative, of the matrix before it is made
                                                    ///< symmetric
  int iterations = 0;                               ///< maximum over the modes
  bool converged = true;                            ///< whether all modes have converged
};

/// Empty if the case names no file. Throws InputError.
FurtherModes read_modes(const Case& flow_case, const meshes::SurfaceMesh& mesh);

/// The largest number of simultaneous right-hand sides in the solves of the case: modes of `bodies`
/// bodies and further modes, or conductors.
int most_modes_at_once(const Case& flow_case, std::size_t bodies, const FurtherModes& further);

/// The matrix with mode names ("surge" to "yaw" if bodies float), in SI units and non-dimensional.
AddedMassMatrix describe(const bem::AddedMass& found, const CaseBodies& bodies,
                         const FurtherModes& further, double density, bool floats = false);

/// Solves for the modes of the bodies; where planes halve bodies, for the whole bodies. Beneath a
/// free surface there are two matrices: the limits of slow motions (dphi/dn = 0 there) and of fast
/// motions (phi = 0). Throws as bem::added_mass() does.
std::vector<AddedMassMatrix> solve_modes(const Case& flow_case, const bem::FlowProblem& problem,
                                         CaseBodies bodies, const FurtherModes& further,
                                         const bem::FlowOptions& options, bem::Backend& backend);

/// A header with the modes, then one line per mode with its name and row, SI units.
std::string added_mass_csv(const AddedMassMatrix& matrix);
/// The same, with units, centres and the non-dimensional matrix.
std::string added_mass_json(const AddedMassMatrix& matrix, double density);

/// Both limits as NetCDF in the layout of Capytaine: added_mass(omega, radiating_dof,
/// influenced_dof) at the angular frequencies 0 and infinity, with coordinates.
std::string added_mass_netcdf(const std::vector<AddedMassMatrix>& limits, double density);

/// A warning if planes, other than those that halve bodies or are a free surface, exclude some
/// rigid modes of a body with its images.
std::optional<std::string> warning_of_modes(const ProblemInput& problem);

}  // namespace rankine::cases
