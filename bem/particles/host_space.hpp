// The arrays and loops of the host, as redistribution_steps.hpp asks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {

struct HostSpace {
  template <class T>
  using Array = AlignedVector<T>;
  template <class T>
  using Shown = std::span<const T>;

  template <class T>
  static Array<T> make(std::size_t n) {
    return Array<T>(n, T{});
  }
  template <class T>
  static Shown<T> shown(const std::vector<T>& values) {
    return values;
  }
  template <class T>
  static void read(const Array<T>& values, std::vector<T>& on_host) {
    on_host.assign(values.begin(), values.end());
  }
  template <class Work>
  static void each(std::size_t n, const Work& work) {
    constexpr std::size_t together = 16;
    parallel_chunks(n, together, work);
  }
  static void sort(Array<std::uint64_t>& keys, Array<std::int32_t>& values, int bits) {
    radix_sort(keys, values, bits);
  }
};

}  // namespace rankine::bem
