// The division of space among processes: each owns the points of a range of Morton keys. Ranges end
// at box boundaries, so a leaf belongs to one process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

struct Partition {
  /// Part p has the keys begin[p] to begin[p + 1] - 1; it may be empty.
  std::vector<std::uint64_t> begin;

  int parts() const { return static_cast<int>(begin.size()) - 1; }
  KeyRange range(int part) const {
    return {begin[static_cast<std::size_t>(part)], begin[static_cast<std::size_t>(part) + 1]};
  }
  /// The part that has a key.
  int owner(std::uint64_t key) const;
};

/// Weights of points with these keys, which are sorted.
struct WeightedKeys {
  std::span<const std::uint64_t> keys;
  std::span<const double> weights;  ///< one per key, or empty: 1 each
};

/// Divides the keys of all processes into `parts` ranges of nearly equal weight. Ranges end at the
/// boundaries of the largest boxes that balance the weights to 1/200 of a part; boxes on level
/// `deepest` and those with at most `fewest` points are not divided. Collective: every process
/// passes its own keys and receives the same result.
Partition make_partition(Communicator& processes, std::span<const WeightedKeys> sets, int parts,
                         int deepest, std::int64_t fewest);

/// The keys of the 27 boxes around a box and of the box itself, without those outside the root.
std::vector<KeyRange> neighbourhood(int level, std::uint64_t key_on_level);

/// The parts whose ranges intersect a box or one of its neighbours, in order; parts without targets
/// (`has_targets`, per part) are excluded.
std::vector<int> adjacent_parts(const Partition& partition, const std::vector<char>& has_targets,
                                int level, std::uint64_t key_on_level);

/// The boxes that are divided among several parts, by level in Morton order, as keys on their
/// level. The parent of a divided box is also divided.
std::vector<std::vector<std::uint64_t>> cut_boxes(const Partition& partition);

}  // namespace rankine::fmm
