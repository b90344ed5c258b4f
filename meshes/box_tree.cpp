#include "rankine/meshes/box_tree.hpp"

#include <algorithm>

namespace rankine::meshes {
namespace {

constexpr std::size_t most_in_leaf = 4;

Vec3d centre(const BoundingBox& box) { return 0.5 * (box.lower + box.upper); }

/// The axis along which the centres of boxes are spread most.
template <class Boxes>
int widest_axis(const Boxes& boxes) {
  BoundingBox centres;
  for (const auto& each : boxes) centres.add(centre(each.box));
  const Vec3d size = centres.size();
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

}  // namespace

BoxTree::BoxTree(std::span<const BoundingBox> boxes) {
  if (boxes.empty()) return;
  for (std::size_t i = 0; i < boxes.size(); ++i) sorted_.push_back({boxes[i], i});
  nodes_.push_back({.box = {}, .begin = 0, .end = boxes.size()});
  for (std::size_t node = 0; node < nodes_.size(); ++node) divide(node);
}

/// Sets the box of a node and cuts it at the median, unless it holds few.
void BoxTree::divide(std::size_t node) {
  const std::size_t begin = nodes_[node].begin, end = nodes_[node].end;
  const std::span<Numbered> held(sorted_.data() + begin, end - begin);
  for (const Numbered& each : held) nodes_[node].box.add(each.box);
  if (held.size() <= most_in_leaf) return;
  const auto middle = held.begin() + static_cast<std::ptrdiff_t>(held.size() / 2);
  std::nth_element(held.begin(), middle, held.end(),
                   [axis = widest_axis(held)](const Numbered& a, const Numbered& b) {
                     return centre(a.box)[axis] < centre(b.box)[axis];
                   });
  const std::size_t cut = begin + held.size() / 2;
  nodes_[node].child = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({.box = {}, .begin = begin, .end = cut});
  nodes_.push_back({.box = {}, .begin = cut, .end = end});
}

}  // namespace rankine::meshes
