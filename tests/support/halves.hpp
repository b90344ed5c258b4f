// A sphere of two patches.
#pragma once

#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::testing {

/// Patches "north" and "south" of a unit sphere.
inline meshes::SurfaceMesh halves(double centre = 0.0) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(320, 1.0, {centre, 0.0, 0.0});
  mesh.patch_names = {"north", "south"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    mesh.patch[e] = meshes::corner_mean(mesh, mesh.elements[e]).z > 0.0 ? 0 : 1;
  return mesh;
}

}  // namespace rankine::testing
