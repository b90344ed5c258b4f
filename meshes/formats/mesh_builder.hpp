// Builds a surface mesh from the nodes and panels that a reader finds, in the order of the file.
// Corners may name nodes that come later; polygons are split when all nodes are known.
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

/// Throws a MeshError about a place of the file, a line in a text, with what is wrong there.
using Refusal = std::function<void(std::size_t place, const std::string& what)>;

class MeshBuilder {
 public:
  /// The file counts its nodes from `first_node`, 0 or 1. `refuse` must throw.
  MeshBuilder(std::int64_t first_node, Refusal refuse);

  void add_node(const Vec3d& node, std::size_t place);
  std::size_t node_count() const { return mesh_.nodes.size(); }

  /// A panel of three corners or more, as the file numbers them.
  void add_panel(std::span<const std::int64_t> corners, std::size_t place, std::int32_t patch = -1);
  /// A panel of second order: as many nodes on its edges follow the corners.
  void add_curved_panel(std::span<const std::int64_t> nodes, std::size_t place,
                        std::int32_t patch = -1);
  /// A strip: every corner makes a triangle with the two before it, -1 begins a new strip.
  void add_strip(std::span<const std::int64_t> corners, std::size_t place);
  std::size_t panel_count() const { return place_.size(); }

  /// The patch of that name; a new one if there is none yet.
  std::int32_t patch(const std::string& name);
  /// The file describes one half or a quarter of a body.
  void set_half_about(bool x, bool y) {
    mesh_.half_about = std::string(x ? "x" : "") + (y ? "y" : "");
  }
  void warn(const std::string& text) { mesh_.warnings.push_back(text); }

  /// The mesh has patches only if every panel has one, and, without `lone_patch`, if there are
  /// several. Throws if a panel names a vertex that does not exist, or a polygon cannot be split.
  SurfaceMesh finish(bool lone_patch = true);

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
  /// If a panel is curved: for every corner the mid-node of the edge after it, from 0; -1 on a
  /// straight edge.
  std::vector<std::int32_t> middle_;
  std::size_t polygons_ = 0, polygon_triangles_ = 0;
};

/// A builder whose messages name the lines of the file.
MeshBuilder builder_for(const TextFile& file, std::int64_t first_node);

/// For formats without shared nodes or without triangles: merges nodes at one place, and makes
/// quadrilaterals with a doubled corner triangles.
SurfaceMesh joined_at_corners(SurfaceMesh mesh);

}  // namespace rankine::meshes
