// Which patches of a mesh are solved: a hull without the far field that it was meshed with.
#pragma once

#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PatchChoice {
  std::vector<std::string> keep;     ///< only these; all where it is empty
  std::vector<std::string> exclude;  ///< not these

  bool any() const { return !keep.empty() || !exclude.empty(); }
};

/// A name that no patch has.
struct NoSuchPatch : InputError {
  NoSuchPatch(const std::string& message, bool is_kept) : InputError(message), kept(is_kept) {}

  bool kept;  ///< it was to be kept, not left out
};

/// Drops the elements of other patches, their names and the nodes that they alone use; notes what
/// was left out. Throws NoSuchPatch, naming the patches that there are; MeshError where nothing is
/// left.
void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice);

}  // namespace rankine::meshes
