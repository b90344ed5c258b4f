// Meshes and their images by symmetry (meshes/symmetry.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

/// Moves nodes onto a plane if their distance is a rounding error (below 1e-6 of the mesh
/// diagonal), or if they are the ends of an open edge within a hundredth of its length from the
/// plane. Removes panels in a plane, because there is no fluid between them and their images.
/// Returns notes for the log. Throws MeshError if the mesh crosses a plane. With a rotation, nodes
/// of open edges that are images of others except for rounding become their exact images.
std::vector<std::string> meet_planes(SurfaceMesh& mesh, const Symmetry& symmetry);

/// A mesh followed by images of its elements (the halo).
struct HaloMesh {
  struct Image {
    std::int32_t element;
    std::int32_t image;
  };
  SurfaceMesh mesh;
  std::vector<Image> images;  ///< of the elements after those of the mesh
};

/// Adds the images of the elements within `halo_rings` rings of a plane. With a rotation it adds
/// all images, and the result is the whole body. Images share nodes with the mesh and with one
/// another. Throws MeshError for a mesh that meet_planes() refuses or would change by more than
/// rounding.
HaloMesh with_halo(const SurfaceMesh& mesh, const Symmetry& symmetry);

/// Rings of elements required by surface fits: two for a normal, one for the neighbour across an
/// edge, one to assess that neighbour.
inline constexpr int halo_rings = 4;

}  // namespace rankine::meshes
