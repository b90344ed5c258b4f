// Arrays and loops on the host: the Space of redistribution_steps.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/particles/moment_fractions.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {

struct HostSpace {
  template <class T>
  using Array = AlignedVector<T>;
  using Lanes = OneLane;

  template <class T>
  static Array<T> make(std::size_t n) {
    return Array<T>(n, T{});
  }
  template <class T>
  static Array<T> given(const std::vector<T>& values) {
    return {values.begin(), values.end()};
  }
  template <class T>
  static std::span<const T> read(const Array<T>& values) {
    return values;
  }
  template <class Work>
  static void each(std::size_t n, const Work& work) {
    constexpr std::size_t together = 16;
    parallel_chunks(n, together, work);
  }
  template <class Work>
  static void each_shared(std::size_t n, const Work& work) {
    each(n, [&](std::size_t i) { work(i, OneLane{}); });
  }
  static void sort(Array<std::uint64_t>& keys, Array<std::int32_t>& values, int bits) {
    radix_sort(keys, values, bits);
  }
  static std::size_t sum_before(Array<std::int64_t>& counts) {
    std::int64_t sum = 0;
    for (std::int64_t& each : counts) each = std::exchange(sum, sum + each);
    return static_cast<std::size_t>(counts.back());
  }
  template <class Test>
  static Array<std::int32_t> chosen(std::size_t n, const Test& test) {
    Array<std::int32_t> found;
    for (std::size_t i = 0; i < n; ++i) {
      if (test(i)) found.push_back(static_cast<std::int32_t>(i));
    }
    return found;
  }
  template <class Value>
  static double largest(std::size_t n, const Value& of) {
    return parallel_max(n, -std::numeric_limits<double>::infinity(), of);
  }
};

template <class T>
std::vector<T> vector_of(const AlignedVector<T>& values) {
  return {values.begin(), values.end()};
}

}  // namespace rankine::bem
