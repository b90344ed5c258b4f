// Points that are drawn at random from boxes. If the points of an octree are on a device, those
// that a sample needs are read together: the sample is drawn twice with the same random numbers,
// first to note the numbers of the points, then with their positions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/morton_points.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// A sequence of points, which must not depend on their positions.
class PointSequence {
 public:
  explicit PointSequence(const OrderedPoints& points) : points_(&points) {}

  /// Whether positions are known: otherwise the numbers of the points are noted.
  bool has_positions() const { return points_->on_host() || next_ != nullptr; }

  /// The position of the next point, given by its number in Morton order; the origin before read().
  Vec3d operator()(std::int32_t number) {
    if (points_->on_host()) return (*points_)[number];
    if (next_ != nullptr) return *next_++;
    numbers_.push_back(number);
    return {};
  }

  /// Reads all sequences, which then begin again. The result must exist as long as they are used.
  [[nodiscard]] static AlignedVector<Vec3d> read(std::span<PointSequence* const> all,
                                                 const OrderedPoints& points) {
    if (points.on_host()) return {};
    std::vector<std::size_t> begin{0};
    for (const PointSequence* each : all) begin.push_back(begin.back() + each->numbers_.size());
    AlignedVector<std::int32_t> numbers(begin.back());
    parallel_chunks(all.size(), 1, [&](std::size_t k) {
      std::ranges::copy(all[k]->numbers_, numbers.begin() + static_cast<std::ptrdiff_t>(begin[k]));
    });
    AlignedVector<Vec3d> positions = points.read(numbers);
    const Vec3d* next = positions.data();
    for (PointSequence* each : all) {
      each->next_ = next;
      next += each->numbers_.size();
    }
    return positions;
  }

 private:
  const OrderedPoints* points_;
  std::vector<std::int32_t> numbers_;
  const Vec3d* next_ = nullptr;
};

/// Points of a box relative to the centre of another box, `centred`, in units of that box's edge.
struct BoxPoints {
  PointSequence& points;
  std::int32_t begin, count;
  const Octree& tree;
  const Box& centred;

  Vec3d operator()(std::int32_t i) const {
    return position_in_box(points(begin + i), centred, tree.corner, tree.side) *
           (1.0 / box_edge(centred));
  }
};

struct DrawnPoint {
  Vec3d at;
  std::int32_t index = 0;   ///< in Morton order
  double stands_for = 0.0;  ///< number of points of the box that it represents
};

/// A unit vector.
inline Vec3d drawn_direction(Uniform& random) {
  const auto component = [&] { return random.between(-1.0, 1.0); };
  for (;;) {
    const Vec3d r{component(), component(), component()};
    if (dot(r, r) <= 1.0 && dot(r, r) > 1e-4) return r * (1.0 / norm(r));
  }
}

/// Draws one of at most `most` points of a box with a probability proportional to likely(position),
/// or any if positions are not known.
template <int most, class Likely>
DrawnPoint draw_point(const BoxPoints& points, Uniform& random, const Likely& likely) {
  Vec3d x[most];
  std::int32_t index[most];
  double share[most] = {}, all = 0.0;
  const int looked_at = std::min(points.count, most);
  const bool known = points.points.has_positions();
  for (int k = 0; k < looked_at; ++k) {
    index[k] =
        points.count <= most
            ? k
            : static_cast<std::int32_t>(random.below(static_cast<std::size_t>(points.count)));
    x[k] = points(index[k]);
    share[k] = known ? likely(x[k]) + std::numeric_limits<double>::min() : 1.0;
    all += share[k];
  }
  double left = all * random();
  int k = 0;
  while (k + 1 < looked_at && left >= share[k]) left -= share[k++];
  return {x[k], points.begin + index[k], points.count * all / (share[k] * looked_at)};
}

}  // namespace rankine::fmm
