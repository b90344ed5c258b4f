// The near sources and translations of one box, found without the lists of the whole tree.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// A far-field pair: one translation between two boxes.
struct FarPair {
  std::int32_t frame;   ///< the targets' box, with the expansion of M2L and P2L
  std::int32_t source;  ///< box
  enum Kind { m2l, m2p, p2l } kind;
};

struct BoxSums {
  std::vector<std::int32_t> near;
  std::vector<FarPair> far_pairs;  ///< of the box, then of its ancestors

  BoxSums(const Octree& tree, Method method, int direct_threshold, std::int32_t box);
};

}  // namespace rankine::fmm
