// The choice of patches to solve: for instance, a hull without the far-field boundary in its mesh.
#pragma once

#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PatchChoice {
  std::vector<std::string> keep;     ///< only these; all if empty
  std::vector<std::string> exclude;  ///< not these

  bool any() const { return !keep.empty() || !exclude.empty(); }
};

/// A name that no patch has.
struct NoSuchPatch : InputError {
  NoSuchPatch(const std::string& message, bool is_kept) : InputError(message), kept(is_kept) {}

  bool kept;  ///< whether the name was in `keep`, not in `exclude`
};

/// Removes the elements of other patches, their names and the nodes that only they use, and notes
/// what was removed. Throws NoSuchPatch with the names that exist; MeshError if nothing remains.
void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice);

}  // namespace rankine::meshes
