// Adaptive octree over sources and targets together, in Morton order, without empty boxes.
//
// The root is a cube that contains every point. A box is divided if it contains more than
// `leaf_capacity` sources or targets; a child exists only if it contains a point. Boxes are stored
// breadth first, within a level in Morton order, so the children of a box are contiguous and every
// level is a contiguous range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::fmm {

/// Bits per direction of a Morton key, hence the deepest level.
inline constexpr int max_level = 21;

/// The process whose points a box contains, if an operator is distributed over several processes
/// (fmm/distributed/essential_tree.hpp).
enum class Holder : std::int32_t {
  here,    ///< all points are those of this process
  shared,  ///< points of several processes; the expansion is the sum of theirs
  halo,    ///< a leaf of another process; this one has a copy of its sources
  remote   ///< a box of another process; this one has only its expansion
};

struct Box {
  std::int32_t parent = -1;
  std::int32_t first_child = -1;  ///< children are first_child ... first_child + child_count - 1
  std::int32_t child_count = 0;   ///< 0: leaf
  std::int32_t source_begin = 0, source_end = 0;  ///< range in Morton order
  std::int32_t target_begin = 0, target_end = 0;
  std::int32_t level = 0;
  std::uint32_t x = 0, y = 0, z = 0;  ///< integer position on its level, 0 ... 2^level - 1
  Holder holder = Holder::here;

  RANKINE_HD bool is_leaf() const { return child_count == 0; }
  /// True for a leaf whose points are in this process.
  RANKINE_HD bool holds_points() const {
    return is_leaf() && (holder == Holder::here || holder == Holder::halo);
  }
  /// True if the expansion of the sources comes from another process.
  RANKINE_HD bool imported() const { return holder == Holder::halo || holder == Holder::remote; }
  RANKINE_HD std::int32_t source_count() const { return source_end - source_begin; }
  RANKINE_HD std::int32_t target_count() const { return target_end - target_begin; }
  RANKINE_HD int octant() const {
    return static_cast<int>((x & 1) | ((y & 1) << 1) | ((z & 1) << 2));
  }
};

struct Octree {
  Vec3d corner;         ///< lower corner of the root, metres
  double side = 1.0;    ///< edge of the root, metres; with few significant bits (root_edge)
  double extent = 1.0;  ///< longest edge of the points' bounding box, metres; never 0
  AlignedVector<Box> boxes;
  /// Boxes of level l are [level_begin[l], level_begin[l + 1]): depth + 2 entries.
  std::vector<std::int32_t> level_begin;
  /// source_order[i]: the caller's index of the i-th source in Morton order.
  AlignedVector<std::int32_t> source_order;
  AlignedVector<std::int32_t> target_order;
  /// Sources and targets are the same points in the same order, so both orders are equal.
  bool shared_points = false;

  int depth() const { return static_cast<int>(level_begin.size()) - 2; }
};

/// Number of boxes with several children, and number of their children: four or five per box on a
/// surface, eight in a volume.
struct Branching {
  std::int64_t divided = 0, children = 0;
  void join(const Branching& part) {
    divided += part.divided;
    children += part.children;
  }
};
Branching branching(const Octree& tree);

/// Edge of a box in units of the root's edge.
RANKINE_HD inline double box_edge(const Box& box) {
  return 1.0 / static_cast<double>(1u << box.level);
}

/// Centre of a box in units of the root's edge, measured from its lower corner.
RANKINE_HD inline Vec3d box_centre(const Box& box) {
  const double h = box_edge(box);
  return {(box.x + 0.5) * h, (box.y + 0.5) * h, (box.z + 0.5) * h};
}

/// Centre of `target` minus centre of `source`, exact also in single precision.
RANKINE_HD inline Vec3d box_shift(const Box& target, const Box& source) {
  return box_centre(target) - box_centre(source);
}

/// The position of a point relative to the centre of a box, in units of the root's edge. Centres of
/// boxes and their products with the edge, which has few bits, are exact, so fused operations give
/// the same result.
RANKINE_HD inline Vec3d position_in_box(const Vec3d& point, const Box& box, const Vec3d& corner,
                                        double side) {
  return (point - (corner + box_centre(box) * side)) * (1.0 / side);
}

/// Interleaves 21 bits per direction, x lowest.
RANKINE_HD inline std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffULL;
  v = (v | v << 16) & 0x1f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  v = (v | v << 2) & 0x1249249249249249ULL;
  return v;
}

/// Morton key of a point on level max_level of a root with this corner and edge.
RANKINE_HD inline std::uint64_t morton_key(const Vec3d& point, const Vec3d& corner, double side) {
  constexpr double cells = 1u << max_level;
  std::uint64_t key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double cell = (point[axis] - corner[axis]) / side * cells;
    cell = cell < 0.0 ? 0.0 : (cell > cells - 1.0 ? cells - 1.0 : cell);
    key |= spread_bits(static_cast<std::uint64_t>(cell)) << axis;
  }
  return key;
}

/// Throws InputError for points that are not finite, or for more than 2^31 - 1 of them;
/// `what` names them.
void check_points(std::span<const Vec3d> points, const char* what);

/// The indices that divide the sources and the targets of a box into octants; all equal for a leaf.
struct Division {
  std::int32_t source_cut[9] = {}, target_cut[9] = {};

  RANKINE_HD bool has_child(int octant) const {
    return source_cut[octant] < source_cut[octant + 1] ||
           target_cut[octant] < target_cut[octant + 1];
  }
  RANKINE_HD int children() const {
    int count = 0;
    for (int octant = 0; octant < 8; ++octant) count += has_child(octant) ? 1 : 0;
    return count;
  }
};

/// First position in [begin, end) of sorted keys whose octant on `level` is at least `octant`.
RANKINE_HD inline std::int32_t octant_begin(const std::uint64_t* keys, std::int32_t begin,
                                            std::int32_t end, int level, std::uint64_t octant) {
  const int shift = 3 * (max_level - level);
  while (begin < end) {
    const std::int32_t middle = begin + (end - begin) / 2;
    if ((keys[middle] >> shift & 7) < octant) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// True if the box has at most `leaf_capacity` sources and targets.
RANKINE_HD inline bool fits(const Box& box, int leaf_capacity) {
  return box.source_count() <= leaf_capacity && box.target_count() <= leaf_capacity;
}

/// The deepest level whose boxes are at least `least_edge` long, in metres; max_level for 0. `side`
/// is the edge of the root.
int deepest_level(double side, double least_edge);

/// The division of a box. A box with few points or on level `deepest` is not divided.
RANKINE_HD inline Division divide(const Box& box, int leaf_capacity, int deepest,
                                  const std::uint64_t* source_keys,
                                  const std::uint64_t* target_keys) {
  Division division;
  if (fits(box, leaf_capacity) || box.level == deepest) return division;
  for (int octant = 0; octant <= 8; ++octant) {
    const auto o = static_cast<std::uint64_t>(octant);
    division.source_cut[octant] =
        octant_begin(source_keys, box.source_begin, box.source_end, box.level + 1, o);
    division.target_cut[octant] =
        octant_begin(target_keys, box.target_begin, box.target_end, box.level + 1, o);
  }
  return division;
}

/// Writes the children of box `parent`, from `first_child` on.
RANKINE_HD inline void adopt(Box* boxes, std::int32_t parent, std::int32_t first_child,
                             const Division& division) {
  Box& box = boxes[parent];
  box.child_count = division.children();
  if (box.child_count == 0) return;
  box.first_child = first_child;
  std::int32_t at = first_child;
  for (int octant = 0; octant < 8; ++octant) {
    if (!division.has_child(octant)) continue;
    Box child;
    child.parent = parent;
    child.level = box.level + 1;
    child.source_begin = division.source_cut[octant];
    child.source_end = division.source_cut[octant + 1];
    child.target_begin = division.target_cut[octant];
    child.target_end = division.target_cut[octant + 1];
    child.x = 2 * box.x + static_cast<std::uint32_t>(octant & 1);
    child.y = 2 * box.y + static_cast<std::uint32_t>(octant >> 1 & 1);
    child.z = 2 * box.z + static_cast<std::uint32_t>(octant >> 2 & 1);
    boxes[at++] = child;
  }
}

/// Edge of a root for points with a bounding box of length `extent`: at least max(1, padding) *
/// extent and at most 1/128 longer, with eight significant bits.
double root_edge(double extent, double padding);

/// The properties of the points on which the root of a tree depends.
struct PointsExtent {
  BoundingBox box;  ///< of sources and targets
  std::int32_t sources = 0, targets = 0;
  bool shared_points = false;  ///< as in Octree
};

/// Throws as build_octree does.
PointsExtent extent_of(std::span<const Vec3d> sources, std::span<const Vec3d> targets);

/// A tree with only the root: corner, edge and one box. With a padding of root_paddings() root and
/// points have the same lower corner; otherwise the points are in the middle of the root.
Octree make_root(const PointsExtent& points, double padding = 0.0);

/// The keys first to last - 1.
struct KeyRange {
  std::uint64_t first = 0, last = std::uint64_t{1} << (3 * max_level);

  bool empty() const { return first >= last; }
  /// True if the ranges intersect.
  bool meets(const KeyRange& other) const { return first < other.last && other.first < last; }
  bool contains(const KeyRange& other) const { return first <= other.first && other.last <= last; }
};

/// The Morton key of a box on its own level, and the keys of its points.
std::uint64_t key_on_level(const Box& box);
KeyRange keys_of(int level, std::uint64_t key_on_level);
inline KeyRange keys_of(const Box& box) { return keys_of(box.level, key_on_level(box)); }

/// Divides `root`, the only box of a tree, as build_octree does. Boxes that are not completely in
/// the range `whole` are divided for any number of points; the ends of `whole` must be box
/// boundaries on a level above the deepest.
Octree divided(Octree root, std::span<const Vec3d> sources, std::span<const Vec3d> targets,
               int leaf_capacity, double least_edge, const KeyRange& whole = {});

/// Builds the tree; boxes on deepest_level(edge of the root, `least_edge`) are not divided. If
/// `sources` and `targets` are the same points in the same order, they are sorted once. Throws
/// InputError for points that are not finite or more than 2^31 - 1 of them.
Octree build_octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets,
                    int leaf_capacity, double padding = 0.0, double least_edge = 0.0);

/// The tree of the same points for a larger leaf capacity: boxes with at most `leaf_capacity`
/// sources and targets have no children.
Octree coarsened(Octree tree, int leaf_capacity);

}  // namespace rankine::fmm
