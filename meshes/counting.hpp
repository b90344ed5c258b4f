// Atomic counters for parallel counting sorts.
#pragma once

#include <atomic>
#include <cstddef>

namespace rankine::meshes {

/// Increments the counter; returns its previous value.
inline std::size_t count_on(std::size_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace rankine::meshes
