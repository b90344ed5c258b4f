// Selects the patches of a mesh to solve, for example a hull without the far-field boundary.
#pragma once

#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PatchChoice {
  std::vector<std::string> keep{};     ///< keep only these; empty: all
  std::vector<std::string> exclude{};  ///< remove these
  /// Faces and holes, named as by face_name(), to turn into patches; other names are ignored.
  std::vector<std::string> separate{};

  bool any() const { return !keep.empty() || !exclude.empty(); }
};

/// The error for a name that no patch has.
struct NoSuchPatch : InputError {
  NoSuchPatch(const std::string& message, bool is_kept) : InputError(message), kept(is_kept) {}

  bool kept;  ///< whether the name was in `keep` (else in `exclude`)
};

/// "face 12" for 12, "hole 3" for -3; see SurfaceMesh::face.
std::string face_name(std::int32_t face);

/// Removes the faces of a geometry named in `choice.exclude`, and removes their names from it.
void leave_out_faces(SurfaceMesh& mesh, PatchChoice& choice);

/// Turns the faces and holes named in `choice` into patches, unless a patch has that name.
void separate_faces(SurfaceMesh& mesh, const PatchChoice& choice);

/// Removes the other patches with their elements, names and unused nodes, and adds a note. Throws
/// NoSuchPatch with the existing names; MeshError if nothing remains.
void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice);

/// Panels, area and centre of a face of the geometry.
struct FaceReport {
  std::int32_t face = 0;  ///< see SurfaceMesh::face
  std::size_t panels = 0;
  double area = 0.0;  ///< m^2
  Vec3d centre{};     ///< mean over the area, m
};

/// The faces in ascending order; panels without a face are not counted.
std::vector<FaceReport> report_faces(const SurfaceMesh& mesh);

}  // namespace rankine::meshes
