// The translations of one pass, grouped so that many boxes use the same small matrix at a time.
//
// Target boxes are divided into blocks, each processed by one thread. Within a block, translations
// are sorted by direction (relative position or octant), so the factors of a direction are loaded
// once per block, and every target row is written by one thread in a fixed order: results depend
// neither on the blocks nor on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {

struct TranslationSchedule {
  struct Group {
    std::int32_t direction;   ///< offset_index, or octant
    std::int64_t begin, end;  ///< range in from and to
  };
  std::vector<Group> groups;  ///< of block b: [block_begin[b], block_begin[b + 1])
  std::vector<std::int64_t> block_begin;
  AlignedVector<std::int32_t> from, to;  ///< source and target boxes

  std::int64_t blocks() const { return static_cast<std::int64_t>(block_begin.size()) - 1; }
  std::size_t bytes() const;
};

/// M2L over the far lists of all levels.
TranslationSchedule m2l_schedule(const Octree& tree, const BoxLists& far);
/// M2M from the boxes with sources of `level` to their parents, or L2L to the boxes with targets
/// from their parents.
TranslationSchedule m2m_schedule(const Octree& tree, int level);
TranslationSchedule l2l_schedule(const Octree& tree, int level);

/// Translations of one kind, by direction.
template <class T>
using TranslationTable = std::vector<Translation<T>>;

template <class T>
TranslationTable<T> m2l_table(const Orders& orders);
template <class T>
TranslationTable<T> octant_table(Shift shift, int order);

template <class T>
TranslationFactors<T> factors_of(const Translation<T>& translation) {
  return {translation.order,
          translation.cos_phi.data(),
          translation.sin_phi.data(),
          translation.rotation->to_axis.data(),
          translation.rotation->from_axis.data(),
          translation.coaxial->data()};
}

/// Memory of the factors of all translations; shared ones count once.
template <class T>
std::size_t bytes_of(const TranslationTable<T>& table);

}  // namespace rankine::fmm
