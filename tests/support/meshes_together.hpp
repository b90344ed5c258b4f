// Meshes made of others.
#pragma once

#include "rankine/meshes/shapes/sphere_meshes.hpp"

namespace rankine::testing {

using meshes::joined;

/// The mesh with every normal on its other side.
inline meshes::SurfaceMesh turned_round(meshes::SurfaceMesh mesh) {
  for (meshes::Element& element : mesh.elements) element = meshes::reversed(element);
  return mesh;
}

}  // namespace rankine::testing
