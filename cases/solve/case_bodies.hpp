// The bodies of a mesh, panels connected across edges, as loads and added mass know them.
#pragma once

#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

struct CaseBodies {
  bem::RigidBodies rigid;         ///< centres: of a body's motion, else problem.moment_centre
  std::vector<std::string> name;  ///< "body1", or the patch where one body has it alone
  std::vector<double> volume;     ///< enclosed, m^3, positive
  std::size_t size() const { return name.size(); }
};

CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const bem::Panels& panels);
/// The same where the mesh's bodies are known.
CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const meshes::Bodies& found, const bem::Panels& panels);

/// Index of the boundary that holds on every patch. Throws InputError for a boundary that names a
/// patch which the mesh lacks, and for a patch that no boundary names.
std::vector<std::size_t> boundary_of_patch(const Case& flow_case,
                                           const std::vector<std::string>& patch_names);

}  // namespace rankine::cases
