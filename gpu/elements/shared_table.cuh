// A hash table of a block of threads.
#pragma once

#include <cstdint>

namespace rankine::gpu {

/// Integers in shared memory, by open addressing; `capacity` is a power of two.
template <int capacity>
struct Table {
  int* keys;  ///< capacity; -1: free

  __device__ static int place(std::int32_t key) {
    return static_cast<int>((static_cast<unsigned>(key) * 2654435761u) >> 16) & (capacity - 1);
  }
  __device__ void clear() const {
    for (int k = threadIdx.x; k < capacity; k += blockDim.x) keys[k] = -1;
  }
  /// The slot of a key, which is inserted if it is missing; -1 if the table is full.
  __device__ int insert(std::int32_t key) const {
    for (int step = 0, at = place(key); step < capacity; ++step, at = (at + 1) & (capacity - 1)) {
      const int found = atomicCAS(keys + at, -1, key);
      if (found == -1 || found == key) return at;
    }
    return -1;
  }
  /// The slot of a key, or -1.
  __device__ int find(std::int32_t key) const {
    for (int at = place(key); keys[at] != -1; at = (at + 1) & (capacity - 1)) {
      if (keys[at] == key) return at;
    }
    return -1;
  }
};

}  // namespace rankine::gpu
