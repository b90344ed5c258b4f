// The order in which work items are processed.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include <cstdint>
#include <utility>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {

inline constexpr int work_bits = 5;

/// Divides items into a few classes, of type `Class`, by their number of pairs. The last class has
/// the fewest pairs.
template <class Class>
__global__ void class_kernel(const std::int64_t* pairs, std::int64_t count,
                             const std::int64_t* most, Class* classes, std::int32_t* index) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  constexpr std::int64_t last = (1 << work_bits) - 1;
  const std::int64_t largest = *most > 0 ? *most : 1;
  classes[i] = static_cast<Class>(last - pairs[i] * last / largest);
  index[i] = static_cast<std::int32_t>(i);
}

template <class Item>
__global__ void gather_kernel(const Item* items, const std::int32_t* index, std::int64_t count,
                              Item* sorted) {
  const std::int64_t i = thread_index();
  if (i < count) sorted[i] = items[index[i]];
}

/// Sorts items with many pairs first, so that the items that run last are short. Within a class
/// items keep their order. Returns the total number of pairs.
template <class Item>
std::int64_t sort_by_work(DeviceBuffer<Item>& items, const DeviceBuffer<std::int64_t>& pairs,
                          const Stream& stream) {
  const std::size_t n = items.size();
  if (n == 0) return 0;
  DeviceBuffer<std::int64_t> sums(2, stream);
  with_scratch("most pairs", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Max(scratch, bytes, pairs.data(), sums.data(), n, stream.handle());
  });
  with_scratch("all pairs", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, pairs.data(), sums.data() + 1, n,
                                  stream.handle());
  });
  DeviceBuffer<std::uint8_t> classes(n, stream), sorted_classes(n, stream);
  DeviceBuffer<std::int32_t> index(n, stream), sorted_index(n, stream);
  launch("classes of work", &class_kernel<std::uint8_t>, one_thread_each(n), stream, pairs.data(),
         static_cast<std::int64_t>(n), sums.data(), classes.data(), index.data());
  with_scratch("sorting work", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, classes.data(), sorted_classes.data(),
                                           index.data(), sorted_index.data(), n, 0, work_bits,
                                           stream.handle());
  });
  DeviceBuffer<Item> sorted(n, stream);
  launch("ordering work", &gather_kernel<Item>, one_thread_each(n), stream, items.data(),
         sorted_index.data(), static_cast<std::int64_t>(n), sorted.data());
  items = std::move(sorted);
  return sums.download(stream)[1];
}

}  // namespace rankine::gpu
