// Counters of counting sorts that several threads increment at the same time.
#pragma once

#include <atomic>
#include <cstddef>

namespace rankine::meshes {

/// Adds one; returns the number before.
inline std::size_t count_on(std::size_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace rankine::meshes
