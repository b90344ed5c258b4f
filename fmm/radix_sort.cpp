#include "rankine/fmm/radix_sort.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace rankine::fmm {
namespace {

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

std::size_t digit_of(std::uint64_t key, int shift) { return key >> shift & (digits - 1); }

}  // namespace

void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::int32_t>& values, int bits) {
  const std::size_t n = keys.size();
  std::vector<std::uint64_t> other_keys(n);
  std::vector<std::int32_t> other_values(n);
  std::vector<std::array<std::size_t, digits>> counts(
      static_cast<std::size_t>(omp_get_max_threads()));
  for (int shift = 0; shift < bits; shift += digit_bits) {
#pragma omp parallel
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
      auto& count = counts[thread];
      count.fill(0);
      for (std::size_t i = begin; i < end; ++i) ++count[digit_of(keys[i], shift)];
#pragma omp barrier
#pragma omp single
      {
        std::size_t sum = 0;
        for (std::size_t digit = 0; digit < digits; ++digit) {
          for (std::size_t block = 0; block < threads; ++block) {
            const std::size_t here = counts[block][digit];
            counts[block][digit] = sum;
            sum += here;
          }
        }
      }
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = count[digit_of(keys[i], shift)]++;
        other_keys[at] = keys[i];
        other_values[at] = values[i];
      }
    }
    keys.swap(other_keys);
    values.swap(other_values);
  }
}

}  // namespace rankine::fmm
