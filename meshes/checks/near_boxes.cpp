#include "rankine/meshes/checks/near_boxes.hpp"

#include <algorithm>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::meshes {
namespace {

/// Interleaves the low 21 bits of x with two zero bits each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

AlignedVector<std::int32_t> along_curve(const AlignedVector<NearBoxes::Piece>& pieces) {
  const auto all =
      parallel_reduce(pieces.size(), BoundingBox{},
                      [&](std::size_t i, BoundingBox& box) { box.join(pieces[i].box); });
  const double side = all.longest();
  const double per_length = side > 0.0 ? 2097151.0 / side : 0.0;
  AlignedVector<std::uint64_t> codes(pieces.size());
  AlignedVector<std::int32_t> order(pieces.size());
  parallel_for(pieces.size(), [&](std::size_t i) {
    const Vec3d at = 0.5 * (pieces[i].box.lower + pieces[i].box.upper) - all.lower;
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis)
      code |= spread(static_cast<std::uint64_t>(at[axis] * per_length)) << axis;
    codes[i] = code;
    order[i] = static_cast<std::int32_t>(i);
  });
  constexpr int bits = 63;
  radix_sort(codes, order, bits);
  return order;
}

}  // namespace

NearBoxes::NearBoxes(const AlignedVector<Piece>& pieces) : pieces_(pieces.size()) {
  const auto order = along_curve(pieces);
  parallel_for(pieces.size(), [&](std::size_t i) { pieces_[i] = pieces[order[i]]; });
  levels_.emplace_back(leaf_count());
  parallel_for(leaf_count(), [&](std::size_t i) {
    for (const Piece& piece : leaf(i)) levels_[0][i].join(piece.box);
  });
  while (levels_.back().size() > 1) {
    const std::vector<BoundingBox>& below = levels_.back();
    std::vector<BoundingBox> level((below.size() + 1) / 2);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / 2].join(below[i]);
    levels_.push_back(std::move(level));
  }
}

}  // namespace rankine::meshes
