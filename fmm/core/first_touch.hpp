// Touches new memory before it is filled. If several threads fill a large array in small chunks,
// they access the same new pages at the same time: the system clears a page while the other threads
// wait, and may clear a huge page once for each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine {

/// Writes one byte to every page of an array whose elements are not initialised. Each huge page is
/// touched by a single thread.
template <class T>
void first_touch(AlignedVector<T>& unset) {
  constexpr std::uintptr_t huge = std::uintptr_t{2} << 20, page = 4096;
  auto* const bytes = reinterpret_cast<volatile unsigned char*>(unset.data());
  const auto begin = reinterpret_cast<std::uintptr_t>(unset.data()),
             end = begin + unset.size() * sizeof(T);
  const std::uintptr_t first = begin / huge;
  parallel_chunks((end + huge - 1) / huge - first, 1, [&](std::size_t block) {
    const std::uintptr_t from = std::max(begin, (first + block) * huge),
                         to = std::min(end, (first + block + 1) * huge);
    for (std::uintptr_t at = from; at < to; at += page) bytes[at - begin] = 0;
  });
}

/// resize(). If it allocates new memory, all of that is touched, and the old elements are lost.
template <class T>
void resize_touched(AlignedVector<T>& vector, std::size_t size) {
  const bool grows = size > vector.capacity();
  if (grows) vector = AlignedVector<T>();
  vector.resize(size);
  if (grows) first_touch(vector);
}

}  // namespace rankine
