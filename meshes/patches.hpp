// The choice of patches to solve: for instance, a hull without the far-field boundary in its mesh.
#pragma once

#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PatchChoice {
  std::vector<std::string> keep{};     ///< only these; all if empty
  std::vector<std::string> exclude{};  ///< not these
  /// Faces and holes by the names of face_name(), which become patches; others are ignored.
  std::vector<std::string> separate{};

  bool any() const { return !keep.empty() || !exclude.empty(); }
};

/// A name that no patch has.
struct NoSuchPatch : InputError {
  NoSuchPatch(const std::string& message, bool is_kept) : InputError(message), kept(is_kept) {}

  bool kept;  ///< whether the name was in `keep`, not in `exclude`
};

/// "face 12" of 12, "hole 3" of -3; see SurfaceMesh::face.
std::string face_name(std::int32_t face);

/// Removes the faces of a geometry that `choice.exclude` names, as choose_patches does, and takes
/// their names from it.
void leave_out_faces(SurfaceMesh& mesh, PatchChoice& choice);

/// Makes patches of the faces and holes that `choice` names, unless a patch has that name.
void separate_faces(SurfaceMesh& mesh, const PatchChoice& choice);

/// Removes the elements of other patches, their names and the nodes that only they use, and notes
/// what was removed. Throws NoSuchPatch with the names that exist; MeshError if nothing remains.
void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice);

/// A face of the geometry, as its panels are.
struct FaceReport {
  std::int32_t face = 0;  ///< see SurfaceMesh::face
  std::size_t panels = 0;
  double area = 0.0;  ///< m^2
  Vec3d centre{};     ///< mean over the area, m
};

/// In rising order; without the panels that are of no face.
std::vector<FaceReport> report_faces(const SurfaceMesh& mesh);

}  // namespace rankine::meshes
