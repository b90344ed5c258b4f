// Builds a surface mesh from nodes and panels in the order of the file. Corners may refer to later
// nodes; polygons are split when all nodes are known.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rankine/meshes/formats/text_file.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Throws a MeshError with the error `what` at a place of the file (in a text file, a line).
using Refusal = std::function<void(std::size_t place, const std::string& what)>;

class MeshBuilder {
 public:
  /// `first_node`: number of the first node in the file, 0 or 1. `refuse` must throw.
  MeshBuilder(std::int64_t first_node, Refusal refuse);

  void add_node(const Vec3d& node, std::size_t place);
  std::size_t node_count() const { return mesh_.nodes.size(); }

  /// A panel with three or more corners, numbered as in the file.
  void add_panel(std::span<const std::int64_t> corners, std::size_t place, std::int32_t patch = -1);
  /// A second-order panel: the corners, then one node per edge.
  void add_curved_panel(std::span<const std::int64_t> nodes, std::size_t place,
                        std::int32_t patch = -1);
  /// A triangle strip: every corner forms a triangle with the two before it; -1 begins a new strip.
  void add_strip(std::span<const std::int64_t> corners, std::size_t place);

  /// The index of the patch of that name, created if necessary.
  std::int32_t patch(const std::string& name);
  /// The file describes one half or a quarter of a body.
  void set_half_about(bool x, bool y) {
    mesh_.half_about = std::string(x ? "x" : "") + (y ? "y" : "");
  }
  void warn(const std::string& text) { mesh_.warnings.push_back(text); }

  /// The mesh gets patches only if every panel has one. If `single_patch` is false, there must also
  /// be at least two patches. Throws if a panel has a vertex that does not exist, or a polygon
  /// cannot be split.
  SurfaceMesh finish(bool single_patch = true);

 private:
  std::span<const std::int32_t> corners_of(std::size_t panel) const;
  std::int32_t index_of(std::int64_t node, std::size_t place) const;
  void require_nodes(std::size_t panel) const;
  MidNodes mid_nodes_of(std::size_t panel) const;
  void add_polygon(std::size_t panel);

  std::int64_t first_node_;
  Refusal refuse_;
  SurfaceMesh mesh_;
  std::unordered_map<std::string, std::int32_t> patch_of_name_;
  std::vector<std::size_t> first_{0};  ///< panels + 1, into corners_
  std::vector<std::int32_t> corners_;  ///< from 0
  std::vector<std::size_t> place_;     ///< per panel
  std::vector<std::int32_t> patch_;    ///< per panel
  /// If any panel is curved: for every corner the mid-edge node of the edge after it, from 0; -1 on
  /// a straight edge.
  std::vector<std::int32_t> middle_;
  std::size_t polygons_ = 0, polygon_triangles_ = 0;
};

/// A builder whose errors contain the line of the file.
MeshBuilder builder_for(const TextFile& file, std::int64_t first_node);

/// For formats without shared nodes or triangles: merges coincident nodes, and turns quadrilaterals
/// with a repeated corner into triangles.
SurfaceMesh joined_at_corners(SurfaceMesh mesh);

}  // namespace rankine::meshes
