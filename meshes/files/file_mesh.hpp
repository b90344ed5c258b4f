// A mesh as a library read it from a file: flat arrays that are not checked yet. The numbers of
// nodes and elements in a file may have gaps and any order.
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
  std::int32_t patch = -1;          ///< index into patch_names; -1: the file names none
  std::vector<std::int64_t> tags;   ///< the number of each element in the file
  std::vector<std::int64_t> nodes;  ///< elements × corners, numbers of nodes
  /// Elements × corners, numbers of the nodes between corners; empty where edges are straight.
  std::vector<std::int64_t> mid_nodes{};
  std::int32_t face = 0;  ///< number of the geometry's face; 0: none
};

struct FileMesh {
  std::vector<std::int64_t> node_tags;  ///< the number of each node; empty: 0, 1, 2, …
  std::vector<double> coordinates;      ///< nodes × 3
  std::vector<ElementBlock> blocks;
  std::vector<std::string> patch_names;
  std::vector<NamedCurve> curves{};
  std::vector<std::string> warnings;
};

/// Adds warnings about elements with nodes between their corners: `second_order` elements have one
/// on each edge, which curved panels use; of `others`, only the corners are read.
void warn_of_curved(std::vector<std::string>& warnings, std::size_t second_order,
                    std::size_t others);

/// The surface of a mesh of volume elements: the faces that belong to one element only.
class Skin {
 public:
  /// Adds a face of an element, 3 or 4 numbers of nodes.
  void add(std::vector<std::int64_t> face);
  /// Makes blocks of the faces, and a warning; nothing where there are none.
  void give(FileMesh& mesh) const;

 private:
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> faces_;  ///< by sorted corners
};

/// The mesh with nodes and elements in the order of their numbers; patches only if the file names
/// them. Throws MeshError, naming `path`, if an element names a node that does not exist, or there
/// are more than 2^31 - 1 of either. Coordinates may be infinite or NaN.
SurfaceMesh to_surface_mesh(FileMesh&& mesh, const std::filesystem::path& path);

}  // namespace rankine::meshes
