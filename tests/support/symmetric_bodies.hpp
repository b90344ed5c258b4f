// Parts of bodies on symmetry planes, and the whole ones made of them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// The elements on the positive side of planes through the origin.
inline meshes::SurfaceMesh positive_part(const meshes::SurfaceMesh& mesh,
                                         const std::vector<int>& axes) {
  meshes::SurfaceMesh part;
  part.patch_names = mesh.patch_names;
  std::map<std::int32_t, std::int32_t> kept;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    meshes::Element element = mesh.elements[e];
    bool positive = true;
    for (int k = 0; k < meshes::corner_count(element); ++k) {
      for (const int axis : axes) positive = positive && mesh.nodes[element[k]][axis] > -1e-9;
    }
    if (!positive) continue;
    for (int k = 0; k < meshes::corner_count(element); ++k) {
      const auto [at, is_new] =
          kept.try_emplace(element[k], static_cast<std::int32_t>(part.nodes.size()));
      if (is_new) part.nodes.push_back(mesh.nodes[element[k]]);
      element[k] = at->second;
    }
    part.elements.push_back(element);
    part.patch.push_back(mesh.patch[e]);
  }
  return part;
}

/// A part and, behind it, its images, plane by plane: image g of panel i is panel g * panels + i.
inline meshes::SurfaceMesh with_images(meshes::SurfaceMesh mesh, const meshes::Symmetry& symmetry) {
  meshes::meet_planes(mesh, symmetry);
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
    const std::size_t nodes = mesh.nodes.size(), elements = mesh.elements.size();
    std::vector<std::int32_t> image(nodes);
    for (std::size_t n = 0; n < nodes; ++n) {
      Vec3d x = mesh.nodes[n];
      image[n] = static_cast<std::int32_t>(plane.holds(x) ? n : mesh.nodes.size());
      x[plane.axis] = 2.0 * plane.place - x[plane.axis];
      if (image[n] != static_cast<std::int32_t>(n)) mesh.nodes.push_back(x);
    }
    for (std::size_t e = 0; e < elements; ++e) {
      meshes::Element element = mesh.elements[e];
      for (int k = 0; k < meshes::corner_count(element); ++k) element[k] = image[element[k]];
      mesh.elements.push_back(meshes::reversed(element));
      mesh.patch.push_back(mesh.patch[e]);
    }
  }
  return mesh;
}

}  // namespace rankine::testing
