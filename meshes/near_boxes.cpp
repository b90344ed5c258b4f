#include "rankine/meshes/near_boxes.hpp"

#include <algorithm>
#include <utility>

namespace rankine::meshes {
namespace {

/// The 21 bits of a number, two zeros between each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

std::vector<std::pair<std::uint64_t, std::size_t>> along_curve(
    const std::vector<NearBoxes::Piece>& pieces) {
  BoundingBox all;
  for (const NearBoxes::Piece& piece : pieces) all.add(piece.box);
  const double side = all.longest();
  const double per_length = side > 0.0 ? 2097151.0 / side : 0.0;
  std::vector<std::pair<std::uint64_t, std::size_t>> order(pieces.size());
  parallel_for(pieces.size(), [&](std::size_t i) {
    const Vec3d at = 0.5 * (pieces[i].box.lower + pieces[i].box.upper) - all.lower;
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis)
      code |= spread(static_cast<std::uint64_t>(at[axis] * per_length)) << axis;
    order[i] = {code, i};
  });
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

NearBoxes::NearBoxes(std::vector<Piece> pieces) {
  const auto order = along_curve(pieces);
  pieces_.resize(pieces.size());
  parallel_for(pieces.size(), [&](std::size_t i) { pieces_[i] = pieces[order[i].second]; });
  levels_.emplace_back(leaf_count());
  for (std::size_t i = 0; i < leaf_count(); ++i) {
    for (const Piece& piece : leaf(i)) levels_[0][i].add(piece.box);
  }
  while (levels_.back().size() > 1) {
    const std::vector<BoundingBox>& below = levels_.back();
    std::vector<BoundingBox> level((below.size() + 1) / 2);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / 2].add(below[i]);
    levels_.push_back(std::move(level));
  }
}

}  // namespace rankine::meshes
