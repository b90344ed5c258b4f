// A short list of panels or nodes in a thread's local memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rankine::gpu {

/// The part of std::vector's interface that collect_rings() needs, with fixed capacity.
struct ShortList {
  static constexpr std::size_t capacity = 96;  // two rings of triangles, six around a node: 37

  std::int32_t item[capacity];
  std::size_t count = 0;
  bool overflows = false;

  __device__ void clear() { count = 0; }
  __device__ void push_back(std::int32_t value) {
    if (count < capacity) {
      item[count++] = value;
    } else {
      overflows = true;
    }
  }
  __device__ std::size_t size() const { return count; }
  __device__ std::int32_t& operator[](std::size_t k) { return item[k]; }
  __device__ std::int32_t operator[](std::size_t k) const { return item[k]; }
  __device__ const std::int32_t* begin() const { return item; }
  __device__ const std::int32_t* end() const { return item + count; }
};

}  // namespace rankine::gpu
