#include "rankine/meshes/files/file_mesh.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rankine/fmm/core/error.hpp"

namespace rankine::meshes {
namespace {

constexpr std::size_t most_nodes = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void reject(const std::filesystem::path& path, const std::string& what) {
  throw MeshError(path.string() + ": " + what + "; repair the file or export it again");
}

/// Maps the numbers of the file to indices from 0, in the same order.
class Numbering {
 public:
  /// `tags` may be empty: then the `count` nodes are numbered from 0.
  Numbering(std::vector<std::int64_t> tags, std::size_t count) : tags_(std::move(tags)) {
    if (!std::is_sorted(tags_.begin(), tags_.end())) std::sort(tags_.begin(), tags_.end());
    if (count == 0) return;
    first_ = tags_.empty() ? 0 : tags_.front();
    last_ = tags_.empty() ? static_cast<std::int64_t>(count) - 1 : tags_.back();
    const std::uint64_t between =
        static_cast<std::uint64_t>(last_) - static_cast<std::uint64_t>(first_);
    dense_ = between == count - 1;
  }
  /// The index; -1 for an unknown number.
  std::int32_t operator()(std::int64_t tag) const {
    if (tag < first_ || tag > last_) return -1;
    if (dense_) return static_cast<std::int32_t>(tag - first_);
    const auto found = std::lower_bound(tags_.begin(), tags_.end(), tag);
    return *found == tag ? static_cast<std::int32_t>(found - tags_.begin()) : -1;
  }
  /// The range of numbers: "1 to 4".
  std::string range() const { return std::to_string(first_) + " to " + std::to_string(last_); }

 private:
  std::vector<std::int64_t> tags_;
  std::int64_t first_ = 0, last_ = -1;
  bool dense_ = false;
};

void require_shape(const FileMesh& mesh, const std::filesystem::path& path) {
  const std::size_t nodes = mesh.coordinates.size() / 3;
  bool sound = mesh.coordinates.size() == 3 * nodes &&
               (mesh.node_tags.empty() || mesh.node_tags.size() == nodes);
  std::size_t elements = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const auto corners = static_cast<std::size_t>(block.corners);
    const bool patched =
        block.patch >= 0 && static_cast<std::size_t>(block.patch) < mesh.patch_names.size();
    sound = sound && (corners == 3 || corners == 4) &&
            block.nodes.size() == corners * block.tags.size() &&
            (block.mid_nodes.empty() || block.mid_nodes.size() == block.nodes.size()) &&
            (mesh.patch_names.empty() ? block.patch == -1 : patched);
    elements += block.tags.size();
  }
  if (!sound) reject(path, "its parts do not fit together");
  if (nodes > most_nodes || elements > most_nodes) {
    throw MeshError(path.string() + " has " + std::to_string(nodes) + " nodes and " +
                    std::to_string(elements) + " surface elements; at most " +
                    std::to_string(most_nodes) + " of each can be used");
  }
}

/// Element e of a block from `nodes`, the corners or the mid-edge nodes of the block.
Element numbered_element(const ElementBlock& block, const std::vector<std::int64_t>& nodes,
                         std::size_t e, const Numbering& number,
                         const std::filesystem::path& path) {
  Element element{-1, -1, -1, -1};
  const auto corners = static_cast<std::size_t>(block.corners);
  for (std::size_t k = 0; k < corners; ++k) {
    const std::int64_t tag = nodes[corners * e + k];
    element[k] = number(tag);
    if (element[k] >= 0) continue;
    reject(path, "element " + std::to_string(block.tags[e]) + " names node " + std::to_string(tag) +
                     ", and the file has no such node (its nodes are " + number.range() + ")");
  }
  return element;
}

}  // namespace

void warn_of_curved(std::vector<std::string>& warnings, std::size_t second_order,
                    std::size_t others) {
  if (second_order > 0) {
    warnings.push_back(std::to_string(second_order) +
                       " elements of second order: curved panels go through their mid-nodes, flat "
                       "panels through their corners");
  }
  if (others > 0) {
    warnings.push_back(std::to_string(others) +
                       " elements of higher order are taken by their corners alone");
  }
}

void Skin::add(std::vector<std::int64_t> face) {
  std::vector<std::int64_t> key = face;
  std::sort(key.begin(), key.end());
  const auto [at, is_new] = faces_.emplace(std::move(key), std::move(face));
  if (!is_new) faces_.erase(at);
}

void Skin::give(FileMesh& mesh) const {
  std::int64_t number = 0;
  for (const std::int32_t corners : {3, 4}) {
    ElementBlock block{.corners = corners, .tags = {}, .nodes = {}};
    for (const auto& [key, face] : faces_) {
      if (std::ssize(face) != corners) continue;
      block.tags.push_back(++number);
      block.nodes.insert(block.nodes.end(), face.begin(), face.end());
    }
    if (!block.tags.empty()) mesh.blocks.push_back(std::move(block));
  }
  if (number > 0) {
    mesh.warnings.push_back("the file has volume elements alone; their " + std::to_string(number) +
                            " outer faces are the panels");
  }
}

SurfaceMesh to_surface_mesh(FileMesh&& file, const std::filesystem::path& path) {
  require_shape(file, path);
  std::size_t elements = 0;
  for (const ElementBlock& block : file.blocks) elements += block.tags.size();
  SurfaceMesh mesh;
  mesh.nodes.resize(file.coordinates.size() / 3);
  const Numbering number(file.node_tags, mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const double* const x = &file.coordinates[3 * n];
    mesh.nodes[file.node_tags.empty() ? n : number(file.node_tags[n])] = {x[0], x[1], x[2]};
  }
  struct Place {
    std::int64_t tag;
    std::uint32_t block, element;
  };
  std::vector<Place> order;
  order.reserve(elements);
  for (std::uint32_t b = 0; b < file.blocks.size(); ++b) {
    const std::vector<std::int64_t>& tags = file.blocks[b].tags;
    for (std::uint32_t e = 0; e < tags.size(); ++e) order.push_back({tags[e], b, e});
  }
  const auto earlier = [](const Place& a, const Place& b) { return a.tag < b.tag; };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::stable_sort(order.begin(), order.end(), earlier);
  }
  mesh.elements.reserve(order.size());
  mesh.patch.reserve(order.size());
  const bool faces = std::any_of(file.blocks.begin(), file.blocks.end(),
                                 [](const ElementBlock& b) { return b.face != 0; });
  for (const Place& place : order) {
    const ElementBlock& block = file.blocks[place.block];
    mesh.elements.push_back(numbered_element(block, block.nodes, place.element, number, path));
    mesh.patch.push_back(block.patch);
    if (faces) mesh.face.push_back(block.face);
  }
  const bool curved = std::any_of(file.blocks.begin(), file.blocks.end(),
                                  [](const ElementBlock& b) { return !b.mid_nodes.empty(); });
  for (std::size_t e = 0; curved && e < order.size(); ++e) {
    const ElementBlock& block = file.blocks[order[e].block];
    MidNodes& middle = mesh.mid_nodes.emplace_back(straight_mid_nodes(mesh, mesh.elements[e]));
    if (block.mid_nodes.empty()) continue;
    const Element nodes = numbered_element(block, block.mid_nodes, order[e].element, number, path);
    for (int k = 0; k < corner_count(nodes); ++k) middle[k] = mesh.nodes[nodes[k]];
  }
  if (file.patch_names.empty()) mesh.patch.clear();
  mesh.patch_names = std::move(file.patch_names);
  mesh.curves = std::move(file.curves);
  mesh.warnings = std::move(file.warnings);
  return mesh;
}

}  // namespace rankine::meshes
