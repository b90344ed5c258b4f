#include "rankine/fmm/close_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/simd/kernels.hpp"

namespace rankine::fmm {
namespace {

/// The box that points of a leaf fill, relative to its centre.
struct Extent {
  float lower[3], upper[3];

  Extent() = default;
  Extent(const LocalPoints<float>& points, std::int32_t begin, std::int32_t end) {
    const std::vector<float>* const at[3] = {&points.x, &points.y, &points.z};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::numeric_limits<float>::max();
      upper[axis] = -lower[axis];
      for (std::int32_t i = begin; i < end; ++i) {
        lower[axis] = std::min(lower[axis], (*at[axis])[i]);
        upper[axis] = std::max(upper[axis], (*at[axis])[i]);
      }
    }
  }
};

/// Looks for close pairs in float.
class CloseSearch {
 public:
  CloseSearch(const Plan& plan, const Points& points, const LocalPoints<float>& sources,
              const LocalPoints<float>& targets)
      : plan_(plan),
        points_(points),
        targets_(targets),
        source_at_{sources.x.data(), sources.y.data(), sources.z.data()},
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

  /// True where the targets of leaf `target`, which fill `extent`, are too far inside for others'
  /// sources to be close.
  bool inside(std::int32_t target, const Extent& extent) const {
    const Box& box = plan_.tree.boxes[target];
    const double reach = 0.5 * box_edge(box) - close_limit(plan_.options, box, coarsest_);
    for (int axis = 0; axis < 3; ++axis) {
      if (extent.lower[axis] < -reach || extent.upper[axis] > reach) return false;
    }
    return true;
  }

  /// True where a target of leaf `target`, whose targets fill `extent`, and a source of leaf `source`
  /// are close but not in one place.
  bool close(std::int32_t target, const Extent& extent, std::int32_t source) const {
    const Box &a = plan_.tree.boxes[target], &b = plan_.tree.boxes[source];
    const Extent& filled = source_extents_[source];
    const double limit = close_limit(plan_.options, a, b);
    const Vec3d shift = box_shift(a, b);
    for (int axis = 0; axis < 3; ++axis) {
      const double gap = std::max(extent.lower[axis] + shift[axis] - filled.upper[axis],
                                  filled.lower[axis] - (extent.upper[axis] + shift[axis]));
      if (gap > limit) return false;
    }
    const bool same = target == source && plan_.tree.shared_points;  // every pair once
    for (std::int32_t i = a.target_begin; i < a.target_end; ++i) {
      const float x[3] = {targets_.x[i] + static_cast<float>(shift.x),
                          targets_.y[i] + static_cast<float>(shift.y),
                          targets_.z[i] + static_cast<float>(shift.z)};
      const CloseSources found =
          kernels_.find_close(source_at_, same ? i + 1 : b.source_begin, b.source_end, x,
                              static_cast<float>(limit * limit));
      if (found.count > 0 && distinct(i, b, found, limit)) return true;
    }
    return false;
  }

 private:
  /// True where one of the sources of box b that were found is elsewhere than target i.
  bool distinct(std::int32_t i, const Box& b, const CloseSources& found, double limit) const {
    const Vec3d& x = points_.targets[plan_.tree.target_order[i]];
    const auto distance2 = [&](std::int64_t j) {
      const Vec3d r = (x - points_.sources[plan_.tree.source_order[j]]) * (1.0 / plan_.tree.side);
      return r.x == 0.0 && r.y == 0.0 && r.z == 0.0 ? -1.0 : dot(r, r);
    };
    if (found.count == 1) return distance2(found.index_sum) >= 0.0;
    for (std::int32_t j = b.source_begin; j < b.source_end; ++j) {
      const double r2 = distance2(j);
      if (r2 >= 0.0 && r2 <= limit * limit) return true;
    }
    return false;
  }

  const Plan& plan_;
  const Points& points_;
  const LocalPoints<float>& targets_;
  const float* source_at_[3];
  std::vector<Extent> source_extents_;  ///< of leaves, by box
  Box coarsest_{.level = max_level};    ///< of the leaves
  const Kernels<float>& kernels_ = kernels<float>();
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

/// `lists` without what `without` has; both in the same order.
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

double close_limit(const Options& options, const Box& target, const Box& source) {
  constexpr double lost_in_float = 4e-7;  // of an edge
  const bool single = options.precision == Precision::float32;
  const double epsilon =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const double h = std::max(box_edge(target), box_edge(source));
  const double unresolved = (epsilon / (2.0 * options.tolerance) + lost_in_float) * h;
  // Float does not hold the fifth power of smaller ones.
  return single ? std::max(unresolved, 1e-7) : unresolved;
}

void separate_close(Plan& plan, const Points& points, const LocalPoints<float>& sources,
                    const LocalPoints<float>& targets) {
  const CloseSearch search(plan, points, sources, targets);
  const bool all = plan.options.method == Method::direct;
  std::vector<std::vector<std::int32_t>> close(plan.leaves.size());
  parallel_chunks(plan.leaves.size(), 16, [&](std::size_t i) {
    const std::int32_t leaf = plan.leaves[i];
    const Box& box = plan.tree.boxes[leaf];
    if (box.target_count() == 0) return;
    const Extent extent(targets, box.target_begin, box.target_end);
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

LocalPoints<double> caller_points(const Octree& tree, std::span<const Vec3d> points,
                                  const std::vector<std::int32_t>& order, int padding) {
  LocalPoints<double> placed;
  for (std::vector<double>* each : {&placed.x, &placed.y, &placed.z})
    each->resize(points.size() + static_cast<std::size_t>(padding));
  parallel_for(points.size(), [&](std::size_t i) {
    const Vec3d x = points[order[i]] * (1.0 / tree.side);
    placed.x[i] = x.x;
    placed.y[i] = x.y;
    placed.z[i] = x.z;
  });
  return placed;
}

}  // namespace rankine::fmm
