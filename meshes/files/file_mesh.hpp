// A mesh as read from a file by a library: flat arrays, not yet checked. Node and element numbers
// of the file may have gaps and any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Triangles or quadrilaterals of one patch.
struct ElementBlock {
  std::int32_t corners = 3;         ///< 3 or 4
  std::int32_t patch = -1;          ///< index into patch_names; -1: none
  std::vector<std::int64_t> tags;   ///< the number of each element in the file
  std::vector<std::int64_t> nodes;  ///< elements × corners, numbers of nodes
  /// Elements × corners, numbers of the mid-edge nodes; empty for straight edges.
  std::vector<std::int64_t> mid_nodes{};
  std::int32_t face = 0;  ///< number of the face of the geometry; 0: none
};

struct FileMesh {
  std::vector<std::int64_t> node_tags;  ///< the number of each node; empty: 0, 1, 2, …
  std::vector<double> coordinates;      ///< nodes × 3
  std::vector<ElementBlock> blocks;
  std::vector<std::string> patch_names;
  std::vector<NamedCurve> curves{};
  std::vector<std::string> warnings;
};

/// Adds warnings about curved elements: `second_order` counts elements with one node on each edge,
/// used by curved panels; of `others` only the corners are read.
void warn_of_curved(std::vector<std::string>& warnings, std::size_t second_order,
                    std::size_t others);

/// The surface of a volume mesh: the faces of one element only.
class Skin {
 public:
  /// Adds a face of an element, given by 3 or 4 node numbers.
  void add(std::vector<std::int64_t> face);
  /// Adds the surface faces to `mesh` as blocks, with a warning; does nothing if there are none.
  void give(FileMesh& mesh) const;

 private:
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> faces_;  ///< by sorted corners
};

/// The mesh with nodes and elements in ascending order of their numbers; patches only if the file
/// has them. Throws MeshError with `path` if an element has a node that does not exist, or if there
/// are more than 2^31 - 1 nodes or elements. Coordinates may be infinite or NaN.
SurfaceMesh to_surface_mesh(FileMesh&& mesh, const std::filesystem::path& path);

}  // namespace rankine::meshes
