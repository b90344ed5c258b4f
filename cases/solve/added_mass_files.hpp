// Added mass as a case asks for it, and the files that hold it.
#pragma once

#include <optional>
#include <string>

#include "cases/input/case.hpp"
#include "cases/output/summary.hpp"
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

/// None where the case names no file. Throws InputError.
FurtherModes read_modes(const Case& flow_case, const meshes::SurfaceMesh& mesh);

/// How many right-hand sides the largest solve of the case holds at once: modes of `bodies` bodies and
/// further ones, or conductors.
int modes_held(const Case& flow_case, std::size_t bodies, const FurtherModes& further);

AddedMassMatrix describe(const bem::AddedMass& found, const CaseBodies& bodies,
                         const FurtherModes& further, double density);

/// A header with the modes, then one line per mode: its name and its row, SI units.
std::string added_mass_csv(const AddedMassMatrix& matrix);
/// The same with units, centres and the non-dimensional matrix.
std::string added_mass_json(const AddedMassMatrix& matrix, double density);

/// A warning of rigid modes that symmetry planes do not allow a body and its images together; none where
/// they allow all.
std::optional<std::string> warning_of_modes(const meshes::Symmetry& symmetry);

}  // namespace rankine::cases
