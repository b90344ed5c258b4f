// The bodies of a mesh (panels connected across edges), for loads and added mass.
#pragma once

#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

struct CaseBodies {
  bem::RigidBodies rigid;         ///< centres: that of the body's motion, else
                                  ///< problem.moment_centre
  std::vector<std::string> name;  ///< the patch if it is exactly this body, else "body1", ...
  std::vector<double> volume;     ///< enclosed volume, m^3, positive
  std::size_t size() const { return name.size(); }
};

CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const bem::Panels& panels);
/// The same with the bodies of the mesh given.
CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const meshes::Bodies& found, const bem::Panels& panels);

/// For every patch the index of its boundary condition. Throws InputError for a condition that
/// names a patch that the mesh does not have, and for a patch without a condition.
std::vector<std::size_t> boundary_of_patch(const Case& flow_case,
                                           const std::vector<std::string>& patch_names);

}  // namespace rankine::cases
