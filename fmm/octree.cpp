#include "rankine/fmm/octree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/fmm/fitted_constants.hpp"

namespace rankine::fmm {
namespace {

/// Sorted keys of one point set, and the permutation that sorts it.
AlignedVector<std::uint64_t> sort_points(std::span<const Vec3d> points, const Octree& tree,
                                         AlignedVector<std::int32_t>& order) {
  AlignedVector<std::uint64_t> keys(points.size());
  order.resize(points.size());
  parallel_for(points.size(), [&](std::size_t i) {
    keys[i] = morton_key(points[i], tree.corner, tree.side);
    order[i] = static_cast<std::int32_t>(i);
  });
  radix_sort(keys, order, 3 * max_level);
  return keys;
}

bool same_points(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  if (a.size() != b.size() || a.data() == b.data()) return a.size() == b.size();
  return !parallel_any(a.size(), [&](std::size_t i) {
    return a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z;
  });
}

}  // namespace

void check_points(std::span<const Vec3d> points, const char* what) {
  if (points.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InputError("too many " + std::string(what) + ": " + std::to_string(points.size()) +
                     " points, but one operator holds at most 2147483647; split the problem");
  }
  const std::size_t bad = parallel_find(points.size(), [&](std::size_t i) {
    return !std::isfinite(points[i].x + points[i].y + points[i].z);
  });
  if (bad == points.size()) return;
  throw InputError(text_of("the ", what, " hold a point that is not finite: number ", bad, " is ",
                           points[bad], "; check the mesh or the input that made it"));
}

int deepest_level(double side, double least_edge) {
  int level = max_level;
  while (level > 0 && std::ldexp(side, -level) < least_edge) --level;
  return level;
}

double root_edge(double extent, double padding) {
  // The corner is at most one cell of the deepest level below the points.
  const double cell = std::ldexp(4.0, -max_level);
  const double least = padding > 0.0 ? padding * extent * (1.0 + cell) : extent;
  constexpr double steps = 256.0;
  int exponent = 0;
  const double fraction = std::frexp(least, &exponent);
  return std::ldexp(std::ceil(steps * fraction) / steps, exponent);
}

PointsExtent extent_of(std::span<const Vec3d> sources, std::span<const Vec3d> targets) {
  PointsExtent extent;
  extent.shared_points = same_points(sources, targets);
  check_points(sources, "sources");
  if (!extent.shared_points) check_points(targets, "targets");
  extent.sources = static_cast<std::int32_t>(sources.size());
  extent.targets = static_cast<std::int32_t>(targets.size());
  extent.box = bounding_box(sources);
  if (!extent.shared_points) extent.box.join(bounding_box(targets));
  return extent;
}

Octree make_root(const PointsExtent& points, double padding) {
  Octree tree;
  tree.shared_points = points.shared_points;
  BoundingBox box = points.box;
  if (box.empty()) box.add(Vec3d{});
  const double largest = box.longest();
  const double magnitude =
      std::max({std::abs(box.lower.x), std::abs(box.lower.y), std::abs(box.lower.z),
                std::abs(box.upper.x), std::abs(box.upper.y), std::abs(box.upper.z)});
  // The edge has few bits, and the corner is a multiple of a power of two of about the edge of a
  // box on the deepest level. So the centres of all boxes are exact, and the distance of close
  // points in different leaves is not changed by rounding.
  tree.extent = largest > 0.0 ? largest : (magnitude > 0.0 ? magnitude : 1.0);
  tree.side = root_edge(tree.extent, padding);
  const double cell = std::ldexp(1.0, std::ilogb(tree.side) - max_level);
  const Vec3d middle = box.lower + box.size() * 0.5;
  const bool fills_boxes = padding > 0.0 && std::fmod(fitted::padded_boxes / padding, 1.0) == 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double begin = fills_boxes ? box.lower[axis] : middle[axis] - 0.5 * tree.side;
    tree.corner[axis] = std::floor(begin / cell) * cell;
  }

  Box root;
  root.source_end = points.sources;
  root.target_end = points.targets;
  tree.boxes.push_back(root);
  tree.level_begin = {0, 1};
  return tree;
}

std::uint64_t key_on_level(const Box& box) {
  return spread_bits(box.x) | spread_bits(box.y) << 1 | spread_bits(box.z) << 2;
}

KeyRange keys_of(int level, std::uint64_t key_on_level) {
  const int shift = 3 * (max_level - level);
  return {key_on_level << shift, (key_on_level + 1) << shift};
}

Octree build_octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets,
                    int leaf_capacity, double padding, double least_edge) {
  return divided(make_root(extent_of(sources, targets), padding), sources, targets, leaf_capacity,
                 least_edge);
}

Octree divided(Octree tree, std::span<const Vec3d> sources, std::span<const Vec3d> targets,
               int leaf_capacity, double least_edge, const KeyRange& whole) {
  const int deepest = deepest_level(tree.side, least_edge);
  const AlignedVector<std::uint64_t> source_keys = sort_points(sources, tree, tree.source_order);
  const AlignedVector<std::uint64_t> own_target_keys =
      tree.shared_points ? AlignedVector<std::uint64_t>{}
                         : sort_points(targets, tree, tree.target_order);
  if (tree.shared_points) tree.target_order = tree.source_order;
  const AlignedVector<std::uint64_t>& target_keys =
      tree.shared_points ? source_keys : own_target_keys;
  for (int level = 0; level < deepest; ++level) {
    const std::int32_t begin = tree.level_begin[level], end = tree.level_begin[level + 1];
    const std::int32_t count = end - begin;
    std::vector<std::int32_t> first_child(count + 1, 0);
    std::vector<Division> divisions(count);
    parallel_for(static_cast<std::size_t>(count), [&](std::size_t i) {
      const Box& box = tree.boxes[begin + i];
      divisions[i] = divide(box, whole.contains(keys_of(box)) ? leaf_capacity : 0, deepest,
                            source_keys.data(), target_keys.data());
      first_child[i + 1] = divisions[i].children();
    });
    std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());
    if (first_child[count] == 0) break;
    tree.boxes.resize(end + first_child[count]);
    parallel_for(static_cast<std::size_t>(count), [&](std::size_t i) {
      adopt(tree.boxes.data(), begin + static_cast<std::int32_t>(i), end + first_child[i],
            divisions[i]);
    });
    tree.level_begin.push_back(static_cast<std::int32_t>(tree.boxes.size()));
  }
  return tree;
}

Branching branching(const Octree& tree) {
  return parallel_reduce(tree.boxes.size(), Branching{}, [&](std::size_t b, Branching& sum) {
    const Box& box = tree.boxes[b];
    if (box.child_count < 2) return;
    ++sum.divided;
    sum.children += box.child_count;
  });
}

Octree coarsened(Octree tree, int leaf_capacity) {
  // A box remains if its parent does not fit into a leaf. Boxes remain in order, so every box comes
  // after its parent, and the children of a box are consecutive.
  const AlignedVector<Box> boxes = std::move(tree.boxes);
  const auto remains = [&](const Box& box) {
    return box.parent < 0 || !fits(boxes[box.parent], leaf_capacity);
  };
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (boxes.size() + block - 1) / block;
  const auto in_block = [&](std::size_t k, const auto& visit) {
    for (std::size_t b = k * block; b < std::min(boxes.size(), (k + 1) * block); ++b) visit(b);
  };
  std::vector<std::int32_t> before(blocks + 1, 0);
  parallel_for(blocks, [&](std::size_t k) {
    in_block(k, [&](std::size_t b) { before[k + 1] += remains(boxes[b]) ? 1 : 0; });
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  AlignedVector<std::int32_t> moved_to(boxes.size() + 1);  // number of those that remain before
  moved_to[boxes.size()] = before[blocks];
  parallel_for(blocks, [&](std::size_t k) {
    std::int32_t at = before[k];
    in_block(k, [&](std::size_t b) {
      moved_to[b] = at;
      at += remains(boxes[b]) ? 1 : 0;
    });
  });
  tree.boxes.resize(static_cast<std::size_t>(before[blocks]));
  parallel_for(boxes.size(), [&](std::size_t b) {
    if (!remains(boxes[b])) return;
    Box& box = tree.boxes[moved_to[b]];
    box = boxes[b];
    if (box.parent >= 0) box.parent = moved_to[box.parent];
    if (fits(box, leaf_capacity)) box.child_count = 0;
    box.first_child = box.is_leaf() ? -1 : moved_to[box.first_child];
  });
  for (std::int32_t& begin : tree.level_begin) begin = moved_to[begin];
  tree.level_begin.erase(std::unique(tree.level_begin.begin(), tree.level_begin.end()),
                         tree.level_begin.end());
  return tree;
}

}  // namespace rankine::fmm
