// Surface meshes for Python: raw ones, and the bodies that solvers take.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::python {

/// A mesh that was checked and whose normals point out of its bodies, as the program prepares it.
struct Body {
  meshes::SurfaceMesh mesh;
  meshes::MeshReport report;
  std::vector<std::string> warnings;  ///< what was turned round, and flaws
};

/// Throws MeshError for a mesh that is not sound, and for one on which the equation has no meaning.
/// Symmetry planes close the bodies that end there.
Body prepare(meshes::SurfaceMesh mesh, const meshes::Symmetry& symmetry = {});

/// All panels of several meshes; mesh k becomes the patch k.
meshes::SurfaceMesh joined(const std::vector<const meshes::SurfaceMesh*>& parts);

void define_surface(nanobind::module_& module);

}  // namespace rankine::python
