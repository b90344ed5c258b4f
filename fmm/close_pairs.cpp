#include "rankine/fmm/close_pairs.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/simd/kernels.hpp"

namespace rankine::fmm {
namespace {

/// The bounding box of the points of a leaf, relative to its centre.
template <class T>
struct Extent {
  T lower[3], upper[3];

  Extent() = default;
  Extent(const LocalPoints<T>& points, std::int32_t begin, std::int32_t end) {
    const AlignedVector<T>* const at[3] = {&points.x, &points.y, &points.z};
    for (int axis = 0; axis < 3; ++axis) {
      T least = std::numeric_limits<T>::max(), most = -least;
      for (std::int32_t i = begin; i < end; ++i) {
        const T x = (*at[axis])[i];
        least = std::min(least, x);
        most = std::max(most, x);
      }
      lower[axis] = least;
      upper[axis] = most;
    }
  }
};

/// True if one of `points` is within `limit` of one of `others` and does not coincide with it.
bool hold_close(std::vector<Vec3d> points, std::vector<Vec3d> others, double limit) {
  const auto before = [](const Vec3d& a, const Vec3d& b) {
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
  };
  const auto same = [](const Vec3d& a, const Vec3d& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  };
  for (std::vector<Vec3d>* each : {&points, &others}) {
    std::sort(each->begin(), each->end(), before);
    each->erase(std::unique(each->begin(), each->end(), same), each->end());
  }
  auto first = others.begin();
  for (const Vec3d& x : points) {
    while (first != others.end() && first->x < x.x - limit) ++first;
    for (auto y = first; y != others.end() && y->x <= x.x + limit; ++y) {
      const Vec3d r = x - *y;
      if (dot(r, r) <= limit * limit && !same(x, *y)) return true;
    }
  }
  return false;
}

template <class T>
class CloseSearch {
 public:
  CloseSearch(const Plan& plan, const Points& points, const LocalPoints<T>& sources,
              const LocalPoints<T>& targets)
      : plan_(plan),
        points_(points),
        limit_(plan.options),
        source_at_{sources.x.data(), sources.y.data(), sources.z.data()},
        target_at_{targets.x.data(), targets.y.data(), targets.z.data()},
        source_extents_(plan.tree.boxes.size()) {
    for (const std::int32_t leaf : plan.leaves) {
      const Box& box = plan.tree.boxes[leaf];
      if (box.level < coarsest_.level) coarsest_ = box;
    }
    parallel_chunks(plan.leaves.size(), 64, [&](std::size_t i) {
      const Box& box = plan.tree.boxes[plan.leaves[i]];
      source_extents_[plan.leaves[i]] = {sources, box.source_begin, box.source_end};
    });
  }

  const Extent<T>& sources_of(std::int32_t leaf) const { return source_extents_[leaf]; }

  /// True if the targets of leaf `target`, with bounding box `extent`, are so far from its faces
  /// that sources of other leaves cannot be close.
  bool inside(std::int32_t target, const Extent<T>& extent) const {
    const Box& box = plan_.tree.boxes[target];
    const double reach = 0.5 * box_edge(box) - limit_(box, coarsest_);
    for (int axis = 0; axis < 3; ++axis) {
      if (extent.lower[axis] < -reach || extent.upper[axis] > reach) return false;
    }
    return true;
  }

  /// True if a target of leaf `target`, with bounding box `extent`, and a source of leaf `source`
  /// are close and do not coincide.
  bool close(std::int32_t target, const Extent<T>& extent, std::int32_t source) const {
    const Box &a = plan_.tree.boxes[target], &b = plan_.tree.boxes[source];
    const Extent<T>& filled = source_extents_[source];
    const double limit = limit_(a, b);
    const Vec3d centres = box_shift(a, b);
    const T shift[3] = {static_cast<T>(centres.x), static_cast<T>(centres.y),
                        static_cast<T>(centres.z)};
    for (int axis = 0; axis < 3; ++axis) {
      const T gap = std::max(extent.lower[axis] + shift[axis] - filled.upper[axis],
                             filled.lower[axis] - (extent.upper[axis] + shift[axis]));
      if (gap > limit) return false;
    }
    const bool same = target == source && plan_.tree.shared_points;
    const T least = kernels_.least_distance2(source_at_, b.source_begin, b.source_end, target_at_,
                                             a.target_begin, a.target_end, shift, same);
    if (least > limit * limit) return false;
    const Octree& tree = plan_.tree;
    return hold_close(given(points_.targets, tree.target_order, a.target_begin, a.target_end),
                      given(points_.sources, tree.source_order, b.source_begin, b.source_end),
                      limit * tree.side);
  }

 private:
  /// The caller's positions of points `begin` to `end` in Morton order.
  static std::vector<Vec3d> given(std::span<const Vec3d> points,
                                  std::span<const std::int32_t> order, std::int32_t begin,
                                  std::int32_t end) {
    std::vector<Vec3d> part;
    for (std::int32_t i = begin; i < end; ++i) part.push_back(points[order[i]]);
    return part;
  }

  const Plan& plan_;
  const Points& points_;
  CloseLimit limit_;
  const T *source_at_[3], *target_at_[3];
  std::vector<Extent<T>> source_extents_;  ///< of leaves, by box
  Box coarsest_{.level = max_level};       ///< of the leaves
  const Kernels<T>& kernels_ = kernels<T>();
};

/// Lists of boxes from the rows of leaves.
BoxLists leaf_lists(const Plan& plan, const std::vector<std::vector<std::int32_t>>& row_of_leaf) {
  BoxLists lists;
  lists.begin.assign(plan.tree.boxes.size() + 1, 0);
  for (std::size_t i = 0; i < plan.leaves.size(); ++i)
    lists.begin[plan.leaves[i] + 1] = static_cast<std::int64_t>(row_of_leaf[i].size());
  for (std::size_t b = 0; b + 1 < lists.begin.size(); ++b) lists.begin[b + 1] += lists.begin[b];
  lists.items.resize(static_cast<std::size_t>(lists.begin.back()));
  for (std::size_t i = 0; i < plan.leaves.size(); ++i) {
    std::copy(row_of_leaf[i].begin(), row_of_leaf[i].end(),
              lists.items.begin() + lists.begin[plan.leaves[i]]);
  }
  return lists;
}

/// The items of `lists` that are not in `without`; both in the same order.
BoxLists difference(const BoxLists& lists, const BoxLists& without) {
  BoxLists rest;
  rest.begin = {0};
  rest.items.reserve(lists.items.size());
  for (std::size_t b = 0; b + 1 < lists.begin.size(); ++b) {
    const auto row = without.row(static_cast<std::int32_t>(b));
    auto next = row.begin();
    for (const std::int32_t c : lists.row(static_cast<std::int32_t>(b))) {
      if (next != row.end() && *next == c) {
        ++next;
      } else {
        rest.items.push_back(c);
      }
    }
    rest.begin.push_back(static_cast<std::int64_t>(rest.items.size()));
  }
  return rest;
}

}  // namespace

CloseLimit::CloseLimit(const Options& given) {
  const Options options = expansion_options(given);
  const bool single = options.precision == Precision::float32;
  const double epsilon =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const int power =
      1 + (options.dipoles ? 1 : 0) + (options.hessian ? 2 : (options.gradient ? 1 : 0));
  // Positions in boxes have rounding errors of float.
  per_edge_ =
      power * epsilon / (2.0 * options.tolerance) + 4.0 * std::numeric_limits<float>::epsilon();
  // Float does not represent the inverse fifth power of smaller distances.
  least_ = single ? 1e-7 : 0.0;
}

template <class T>
void separate_close(Plan& plan, const Points& points, const LocalPoints<T>& sources,
                    const LocalPoints<T>& targets) {
  const CloseSearch search(plan, points, sources, targets);
  const bool all = plan.options.method == Method::direct;
  std::vector<std::vector<std::int32_t>> close(plan.leaves.size());
  parallel_chunks(plan.leaves.size(), 16, [&](std::size_t i) {
    const std::int32_t leaf = plan.leaves[i];
    const Box& box = plan.tree.boxes[leaf];
    if (box.target_count() == 0) return;
    const Extent<T> extent = plan.tree.shared_points
                                 ? search.sources_of(leaf)
                                 : Extent<T>(targets, box.target_begin, box.target_end);
    const bool inside = search.inside(leaf, extent);
    for (const std::int32_t c : all ? std::span(plan.leaves) : plan.lists.near.row(leaf)) {
      if (inside && c != leaf) continue;
      if (plan.tree.boxes[c].source_count() > 0 && search.close(leaf, extent, c))
        close[i].push_back(c);
    }
  });
  plan.lists.close = leaf_lists(plan, close);
  if (!all && !plan.lists.close.items.empty())
    plan.lists.near = difference(plan.lists.near, plan.lists.close);
}

template void separate_close<float>(Plan&, const Points&, const LocalPoints<float>&,
                                    const LocalPoints<float>&);
template void separate_close<double>(Plan&, const Points&, const LocalPoints<double>&,
                                     const LocalPoints<double>&);

LocalPoints<double> caller_points(std::span<const Vec3d> points,
                                  std::span<const std::int32_t> order, int padding) {
  LocalPoints<double> placed;
  placed.resize(points.size(), padding);
  parallel_for(points.size(), [&](std::size_t i) {
    const Vec3d& x = points[order[i]];
    placed.x[i] = x.x;
    placed.y[i] = x.y;
    placed.z[i] = x.z;
  });
  return placed;
}

}  // namespace rankine::fmm
