#include "rankine/fmm/far_candidates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/fmm/order.hpp"

namespace rankine::fmm {
namespace {

/// Draws at most `most` boxes with targets of a level; each represents `stands_for` boxes.
std::vector<std::int32_t> drawn_boxes(const Octree& tree, int level, std::size_t most,
                                      std::vector<double>& stands_for) {
  const std::int32_t first = tree.level_begin[level];
  std::vector<std::int32_t> boxes = parallel_reduce(
      static_cast<std::size_t>(tree.level_begin[level + 1] - first), std::vector<std::int32_t>{},
      [&](std::size_t k, std::vector<std::int32_t>& found) {
        const std::int32_t box = first + static_cast<std::int32_t>(k);
        if (tree.boxes[box].target_count() > 0) found.push_back(box);
      });
  const std::size_t count = std::min(boxes.size(), most);
  Uniform random(static_cast<std::uint64_t>(level) + 1);
  for (std::size_t k = 0; k < count; ++k)
    std::swap(boxes[k], boxes[k + random.below(boxes.size() - k)]);
  if (count > 0)
    stands_for.insert(stands_for.end(), count, static_cast<double>(boxes.size()) / count);
  boxes.resize(count);
  return boxes;
}

class Candidates {
 public:
  Candidates(const Octree& tree, int order) : tree_(tree), order_(order) {
    const Orders& orders = orders_of(order);
    for (int i = 0; i < offset_count; ++i) {
      if (offset_is_far(i))
        m2l_error2_[i] = std::pow(10.0, -2.0 * m2l_error_digits(i, orders.m2l[i]));
    }
  }

  FarCandidate operator()(const FarPair& far, double stands_for) const {
    const Box &a = tree_.boxes[far.frame], &b = tree_.boxes[far.source];
    // Far boxes use fewer terms, so their errors may be as large as those of near ones. For a box
    // `other` next to an expansion with this edge, only points within about an edge of it have
    // large errors.
    const int order = order_used(tree_, far, order_);
    const auto falling2 = [&](double edge, double other) {
      const Vec3d between = box_shift(a, b);
      Vec3d gap;  // vector from the centre of the expansion to the other box
      for (int axis = 0; axis < 3; ++axis)
        gap[axis] = std::max(std::abs(between[axis]) - 0.5 * other, 0.0);
      const double distance = std::max(edge, norm(gap));
      const double near = std::min(1.0, edge / other);
      return square_falling(0.75 * edge / distance, order) * near * near / (distance * distance);
    };
    const bool m2p = far.kind == FarPair::m2p;
    const double edge = box_edge(m2p ? b : a);
    const double error2 = far.kind == FarPair::m2l
                              ? m2l_error2_[offset_between(a, b)] / (edge * edge)
                              : falling2(edge, box_edge(m2p ? a : b));
    const double weight = stands_for * a.target_count() * b.source_count() * error2;
    const double per_edge2 = 1.0 / (edge * edge);
    return {far, {weight, weight * per_edge2, weight * per_edge2 * per_edge2}, stands_for};
  }

 private:
  const Octree& tree_;
  int order_;
  std::array<double, offset_count> m2l_error2_{};  ///< likely ones, in powers of the edge
};

}  // namespace

double square_falling(double ratio, int order) {
  double result = 1.0, factor = ratio * ratio;
  for (int n = order; n > 0; n /= 2) {
    if (n % 2 == 1) result *= factor;
    factor *= factor;
  }
  return result;
}

int order_used(const Octree& tree, const FarPair& far, int order) {
  const Box &a = tree.boxes[far.frame], &b = tree.boxes[far.source];
  if (far.kind == FarPair::p2l || a.level != b.level) return order;
  const Orders& orders = orders_of(order);
  return (far.kind == FarPair::m2p ? orders.m2p : orders.m2l)[offset_between(a, b)];
}

std::vector<FarCandidate> far_candidates(const Octree& tree, Method method, int direct_threshold,
                                         int order, std::size_t most_boxes) {
  std::vector<std::int32_t> boxes;
  std::vector<double> stands_for;
  for (int level = 0; level <= tree.depth(); ++level) {
    // A few boxes may have most of the error. Of small trees all boxes are used.
    const std::size_t share =
        (most_boxes - boxes.size()) / static_cast<std::size_t>(tree.depth() + 1 - level);
    const std::vector<std::int32_t> drawn = drawn_boxes(tree, level, share, stands_for);
    boxes.insert(boxes.end(), drawn.begin(), drawn.end());
  }
  const Candidates candidate(tree, order);
  std::vector<std::vector<FarCandidate>> of_box(boxes.size());
  parallel_chunks(boxes.size(), 4, [&](std::size_t i) {
    for (const FarPair& s : BoxSums(tree, method, direct_threshold, boxes[i]).far_pairs) {
      if (s.frame == boxes[i]) of_box[i].push_back(candidate(s, stands_for[i]));
    }
  });
  std::vector<FarCandidate> all;
  for (const std::vector<FarCandidate>& each : of_box)
    all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace rankine::fmm
