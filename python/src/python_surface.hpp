// Surface meshes for Python: unchecked meshes, and checked bodies for solvers.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::python {

/// A checked mesh with outward normals, prepared as in the program.
struct Body {
  meshes::SurfaceMesh mesh;
  meshes::MeshReport report;
  std::vector<std::string> warnings;  ///< reversed panels and flaws
};

/// Checks and orients a mesh; symmetry planes close the bodies that end there. Throws MeshError for
/// a mesh that is not sound or on which the equation has no meaning.
Body prepare(meshes::SurfaceMesh mesh, const meshes::Symmetry& symmetry = {});

/// All panels of several meshes; mesh k becomes patch k.
meshes::SurfaceMesh joined(const std::vector<const meshes::SurfaceMesh*>& parts);

void define_surface(nanobind::module_& module);

}  // namespace rankine::python
