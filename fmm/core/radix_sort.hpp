// Parallel least-significant-digit radix sort of 64-bit keys with a 32-bit payload. Stable, so the
// result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine {
namespace detail {

inline constexpr int digit_bits = 11;
inline constexpr std::size_t digits = std::size_t{1} << digit_bits;

inline std::size_t digit_of(std::uint64_t key, int shift) { return key >> shift & (digits - 1); }

/// For few keys: counting so many digits would take longer than to compare them.
inline void sort_few(AlignedVector<std::uint64_t>& keys, AlignedVector<std::int32_t>& values) {
  std::vector<std::pair<std::uint64_t, std::int32_t>> pairs(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) pairs[i] = {keys[i], values[i]};
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < keys.size(); ++i) std::tie(keys[i], values[i]) = pairs[i];
}

}  // namespace detail

/// Sorts `keys` ascending by their lowest `bits` bits and carries `values` along.
inline void radix_sort(AlignedVector<std::uint64_t>& keys, AlignedVector<std::int32_t>& values,
                       int bits) {
  using detail::digit_bits, detail::digits, detail::digit_of;
  const std::size_t n = keys.size();
  if (n <= digits) {
    detail::sort_few(keys, values);
    return;
  }
  AlignedVector<std::uint64_t> other_keys(n);
  AlignedVector<std::int32_t> other_values(n);
  std::vector<std::array<std::size_t, digits>> counts(static_cast<std::size_t>(thread_count()));
  for (int shift = 0; shift < bits; shift += digit_bits) {
    for (auto& count : counts) count.fill(0);
    parallel_parts(n, [&](const Part& part) {
      auto& count = counts[static_cast<std::size_t>(part.thread)];
      for (std::size_t i = part.begin; i < part.end; ++i) ++count[digit_of(keys[i], shift)];
    });
    std::size_t sum = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      for (auto& count : counts) {
        const std::size_t here = count[digit];
        count[digit] = sum;
        sum += here;
      }
    }
    parallel_parts(n, [&](const Part& part) {
      auto& count = counts[static_cast<std::size_t>(part.thread)];
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const std::size_t at = count[digit_of(keys[i], shift)]++;
        other_keys[at] = keys[i];
        other_values[at] = values[i];
      }
    });
    keys.swap(other_keys);
    values.swap(other_values);
  }
}

}  // namespace rankine
