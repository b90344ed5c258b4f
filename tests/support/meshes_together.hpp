// Meshes made of others.
#pragma once

#include <cstdint>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// Both meshes in one, the second's nodes and patches after the first's.
inline meshes::SurfaceMesh joined(meshes::SurfaceMesh first, const meshes::SurfaceMesh& second) {
  const auto nodes = static_cast<std::int32_t>(first.nodes.size()),
             patches = static_cast<std::int32_t>(first.patch_names.size());
  first.nodes.insert(first.nodes.end(), second.nodes.begin(), second.nodes.end());
  for (meshes::Element element : second.elements) {
    for (std::int32_t& node : element) node = node < 0 ? node : node + nodes;
    first.elements.push_back(element);
  }
  for (const std::int32_t patch : second.patch) first.patch.push_back(patch + patches);
  first.patch_names.insert(first.patch_names.end(), second.patch_names.begin(),
                           second.patch_names.end());
  return first;
}

/// The mesh with every normal on its other side.
inline meshes::SurfaceMesh turned_round(meshes::SurfaceMesh mesh) {
  for (meshes::Element& element : mesh.elements) element = meshes::reversed(element);
  return mesh;
}

}  // namespace rankine::testing
