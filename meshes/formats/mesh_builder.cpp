#include "rankine/meshes/formats/mesh_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rankine/meshes/formats/polygon.hpp"
#include "rankine/meshes/formats/text_file.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {

MeshBuilder::MeshBuilder(std::int64_t first_node, Refusal refuse)
    : first_node_(first_node), refuse_(std::move(refuse)) {}

void MeshBuilder::add_node(const Vec3d& node, std::size_t place) {
  if (std::ssize(mesh_.nodes) == most_indices) refuse_(place, "there are too many vertices");
  mesh_.nodes.push_back(node);
}

void MeshBuilder::add_panel(std::span<const std::int64_t> corners, std::size_t place,
                            std::int32_t patch) {
  if (corners.size() < 3) {
    refuse_(place, "the face has " + counted(corners.size(), "corner") + ", and needs three");
  }
  if (std::ssize(place_) == most_indices) refuse_(place, "there are too many faces");
  for (const std::int64_t corner : corners) corners_.push_back(index_of(corner, place));
  if (!middle_.empty()) middle_.resize(corners_.size(), -1);
  first_.push_back(corners_.size());
  place_.push_back(place);
  patch_.push_back(patch);
}

std::int32_t MeshBuilder::index_of(std::int64_t node, std::size_t place) const {
  if (node < first_node_ || node - first_node_ >= most_indices) {
    refuse_(place, "the face names vertex " + std::to_string(node) +
                       "; vertices are counted from " + std::to_string(first_node_));
  }
  return static_cast<std::int32_t>(node - first_node_);
}

void MeshBuilder::add_curved_panel(std::span<const std::int64_t> nodes, std::size_t place,
                                   std::int32_t patch) {
  const std::size_t corners = nodes.size() / 2;
  add_panel(nodes.first(corners), place, patch);
  middle_.resize(corners_.size() - corners, -1);
  for (const std::int64_t node : nodes.subspan(corners)) middle_.push_back(index_of(node, place));
}

void MeshBuilder::add_strip(std::span<const std::int64_t> corners, std::size_t place) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (corners[k] == -1) begin = k + 1;
    if (corners[k] == -1 || k < begin + 2) continue;
    std::array<std::int64_t, 3> triangle{corners[k - 2], corners[k - 1], corners[k]};
    if ((k - begin) % 2 == 1) std::swap(triangle[0], triangle[1]);
    const bool joint = triangle[0] == triangle[1] || triangle[1] == triangle[2] ||
                       triangle[2] == triangle[0];  // a degenerate triangle that joins two strips
    if (!joint) add_panel(triangle, place);
  }
}

std::int32_t MeshBuilder::patch(const std::string& name) {
  const auto next = static_cast<std::int32_t>(mesh_.patch_names.size());
  const auto [at, is_new] = patch_of_name_.emplace(name, next);
  if (is_new) mesh_.patch_names.push_back(name);
  return at->second;
}

std::span<const std::int32_t> MeshBuilder::corners_of(std::size_t panel) const {
  return {corners_.data() + first_[panel], first_[panel + 1] - first_[panel]};
}

void MeshBuilder::require_nodes(std::size_t panel) const {
  for (std::size_t k = first_[panel]; k < first_[panel + 1]; ++k) {
    const std::int32_t node = std::max(corners_[k], middle_.empty() ? -1 : middle_[k]);
    if (node < std::ssize(mesh_.nodes)) continue;
    refuse_(place_[panel], "the face names vertex " + std::to_string(node + first_node_) +
                               ", and the file has " + std::to_string(mesh_.nodes.size()) +
                               (first_node_ == 0 ? ", counted from 0" : ""));
  }
}

MidNodes MeshBuilder::mid_nodes_of(std::size_t panel) const {
  MidNodes middle = straight_mid_nodes(mesh_, mesh_.elements.back());
  const std::size_t first = first_[panel];
  for (std::size_t k = 0; k < first_[panel + 1] - first; ++k) {
    if (middle_[first + k] >= 0) middle[k] = mesh_.nodes[middle_[first + k]];
  }
  return middle;
}

void MeshBuilder::add_polygon(std::size_t panel) {
  const std::span<const std::int32_t> corners = corners_of(panel);
  std::vector<Vec3d> places;
  for (const std::int32_t corner : corners) places.push_back(mesh_.nodes[corner]);
  const auto triangles = split_polygon(places);
  if (triangles.empty()) {
    refuse_(place_[panel], "the face of " + std::to_string(corners.size()) +
                               " corners crosses itself, has no area, or is not convex with more "
                               "than " +
                               std::to_string(most_polygon_corners) +
                               " corners, and cannot be divided into triangles");
  }
  for (const auto& [a, b, c] : triangles) {
    mesh_.elements.push_back({corners[a], corners[b], corners[c], -1});
    mesh_.patch.push_back(patch_[panel]);
    if (!middle_.empty())
      mesh_.mid_nodes.push_back(straight_mid_nodes(mesh_, mesh_.elements.back()));
  }
  ++polygons_;
  polygon_triangles_ += triangles.size();
}

SurfaceMesh MeshBuilder::finish(bool single_patch) {
  for (std::size_t panel = 0; panel < place_.size(); ++panel) {
    require_nodes(panel);
    const std::span<const std::int32_t> corners = corners_of(panel);
    if (corners.size() > 4) {
      add_polygon(panel);
      continue;
    }
    mesh_.elements.push_back(
        {corners[0], corners[1], corners[2], corners.size() == 4 ? corners[3] : -1});
    mesh_.patch.push_back(patch_[panel]);
    if (!middle_.empty()) mesh_.mid_nodes.push_back(mid_nodes_of(panel));
  }
  if (std::ssize(mesh_.elements) > most_indices) refuse_(place_.back(), "there are too many faces");
  if (polygons_ > 0) warn(split_note(polygons_, polygon_triangles_));
  if (std::find(patch_.begin(), patch_.end(), -1) != patch_.end()) mesh_.patch_names.clear();
  if (!single_patch && mesh_.patch_names.size() == 1) mesh_.patch_names.clear();
  if (mesh_.patch_names.empty()) mesh_.patch.clear();
  return std::move(mesh_);
}

MeshBuilder builder_for(const TextFile& file, std::int64_t first_node) {
  return {first_node,
          [&file](std::size_t line, const std::string& what) { file.refuse_at(line, what); }};
}

SurfaceMesh joined_at_corners(SurfaceMesh mesh) {
  merge_coincident_nodes(mesh);
  collapse_quadrilaterals(mesh);
  return mesh;
}

}  // namespace rankine::meshes
