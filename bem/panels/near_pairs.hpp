// Near pairs on meshes of any grading: for every target, the sources whose ball contains it. A long
// source may have several balls.
//
// The search visits the 27 cells around a target in each of the grids of near_grid.hpp. Time and
// memory are O(N + pairs), where N is the number of balls and pairs is the number of pairs of
// targets and balls. The result is the same for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/mirrored.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// All pairs with |target - source| < radius of the source (and <= when both coincide).
/// At most 2^31 sources.
SparsityPattern find_near_pairs(std::span<const Vec3d> targets, std::span<const Vec3d> sources,
                                std::span<const double> radii);

/// The balls of sources, one or more each.
struct NearBalls {
  /// Sources + 1: balls of source j are first[j] .. first[j + 1].
  FetchedVector<std::int32_t> first{AlignedVector<std::int32_t>(1, 0)};
  FetchedVector<Vec3d> centre;
  FetchedVector<double> radius;
};

/// All pairs of a target and a source with a ball that contains it, each pair once.
SparsityPattern find_near_pairs(std::span<const Vec3d> targets, const NearBalls& balls);

/// Sorts the balls of sources once for any number of searches.
class NearSearch {
 public:
  /// `balls` must outlive the object.
  explicit NearSearch(const NearBalls& balls);
  ~NearSearch();

  /// The pairs as in find_near_pairs().
  SparsityPattern pairs(std::span<const Vec3d> targets) const;

 private:
  class Sorted;
  std::unique_ptr<Sorted> sorted_;  ///< null: there are no balls
};

}  // namespace rankine::bem
