// Parallel radix sort of 64-bit keys with a 32-bit payload. It begins with the most significant
// digit, so that the resulting parts fit into the cache of the thread that sorts them. The sort is
// stable, and the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine {
namespace detail {

inline constexpr int most_digit_bits = 11;
inline constexpr std::size_t most_digits = std::size_t{1} << most_digit_bits;

/// Keys that agree in all bits above bit `top` - 1, and a buffer of the same size.
struct KeyRange {
  std::uint64_t *keys, *other_keys;
  std::int32_t *values, *other_values;
  std::size_t size;
  int top;

  /// The lowest bits of a key, by which the range is sorted.
  std::uint64_t low(std::size_t i) const {
    return top == 64 ? keys[i] : keys[i] & ((std::uint64_t{1} << top) - 1);
  }
  /// The digit made of bits [top - bits, top).
  std::size_t digit(std::size_t i, int bits) const {
    return keys[i] >> (top - bits) & ((std::size_t{1} << bits) - 1);
  }
  void move(std::size_t from, std::size_t to) const {
    other_keys[to] = keys[from];
    other_values[to] = values[from];
  }
  /// The keys at [begin, begin + count) of the buffer, to be sorted by the bits below a digit of
  /// `bits`.
  KeyRange moved(std::size_t begin, std::size_t count, int bits) const {
    return {other_keys + begin, keys + begin, other_values + begin,
            values + begin,     count,        top - bits};
  }
};

/// Where the sorted keys are stored: in the keys' own array or in the buffer.
enum class Buffer { own, other };
inline Buffer opposite(Buffer buffer) {
  return buffer == Buffer::own ? Buffer::other : Buffer::own;
}

inline void leave(const KeyRange& range, Buffer buffer) {
  if (buffer == Buffer::own) return;
  std::copy_n(range.keys, range.size, range.other_keys);
  std::copy_n(range.values, range.size, range.other_values);
}

/// Sorts a few keys in place.
inline void insert_each(const KeyRange& range) {
  for (std::size_t i = 1; i < range.size; ++i) {
    const std::uint64_t key = range.keys[i], low = range.low(i);
    const std::int32_t value = range.values[i];
    std::size_t at = i;
    for (; at > 0 && range.low(at - 1) > low; --at) {
      range.keys[at] = range.keys[at - 1];
      range.values[at] = range.values[at - 1];
    }
    range.keys[at] = key;
    range.values[at] = value;
  }
}

/// Sorts on the calling thread.
inline void sort_range(KeyRange range, Buffer buffer) {
  constexpr std::size_t few = 24;
  if (range.size <= few) {
    insert_each(range);
    return leave(range, buffer);
  }
  std::uint64_t differing = 0;
  for (std::size_t i = 1; i < range.size; ++i) differing |= range.low(i) ^ range.low(0);
  if (differing == 0) return leave(range, buffer);
  range.top = static_cast<int>(std::bit_width(differing));
  const int bits =
      std::min({most_digit_bits, range.top, static_cast<int>(std::bit_width(range.size)) - 1});
  std::array<std::size_t, most_digits + 1> begin;
  const std::size_t digits = std::size_t{1} << bits;
  std::fill_n(begin.begin(), digits + 1, std::size_t{0});
  for (std::size_t i = 0; i < range.size; ++i) ++begin[range.digit(i, bits) + 1];
  for (std::size_t digit = 0; digit < digits; ++digit) begin[digit + 1] += begin[digit];
  for (std::size_t i = 0; i < range.size; ++i) range.move(i, begin[range.digit(i, bits)]++);
  // Each position has advanced to the beginning of the next digit.
  std::size_t first = 0, largest = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    largest = std::max(largest, begin[digit] - first);
    first = begin[digit];
  }
  if (largest <= few) {
    KeyRange moved = range.moved(0, range.size, 0);
    insert_each(moved);
    return leave(moved, opposite(buffer));
  }
  first = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    if (begin[digit] > first)
      sort_range(range.moved(first, begin[digit] - first, bits), opposite(buffer));
    first = begin[digit];
  }
}

/// Sorts on all threads.
inline void sort_range_parallel(KeyRange range, Buffer buffer) {
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::uint64_t differing = parallel_reduce(
      range.size, std::uint64_t{0},
      [&](std::size_t i, std::uint64_t& bits) { bits |= range.low(i) ^ range.low(0); },
      [](std::uint64_t& all, std::uint64_t part) { all |= part; });
  if (differing == 0) return leave(range, buffer);
  range.top = static_cast<int>(std::bit_width(differing));
  const int bits = std::min(most_digit_bits, range.top);
  const std::size_t digits = std::size_t{1} << bits;
  std::vector<std::array<std::size_t, most_digits>> at(threads);
  parallel_parts(range.size, [&](const Part& part) {
    auto& count = at[static_cast<std::size_t>(part.thread)];
    count.fill(0);
    for (std::size_t i = part.begin; i < part.end; ++i) ++count[range.digit(i, bits)];
  });
  std::vector<std::size_t> begin = {0};
  for (std::size_t digit = 0; digit < digits; ++digit) {
    std::size_t sum = begin.back();
    for (auto& count : at) {
      const std::size_t here = count[digit];
      count[digit] = sum;
      sum += here;
    }
    begin.push_back(sum);
  }
  parallel_parts(range.size, [&](const Part& part) {
    auto& to = at[static_cast<std::size_t>(part.thread)];
    for (std::size_t i = part.begin; i < part.end; ++i) range.move(i, to[range.digit(i, bits)]++);
  });
  // If there are too many keys of one digit for one thread, all threads sort them.
  const std::size_t many = std::max<std::size_t>(1U << 16, range.size / (2 * threads));
  const auto of_digit = [&](std::size_t digit) {
    return range.moved(begin[digit], begin[digit + 1] - begin[digit], bits);
  };
  parallel_chunks(digits, 4, [&](std::size_t digit) {
    const KeyRange part = of_digit(digit);
    if (part.size > 0 && part.size <= many) sort_range(part, opposite(buffer));
  });
  for (std::size_t digit = 0; digit < digits; ++digit) {
    if (of_digit(digit).size > many) sort_range_parallel(of_digit(digit), opposite(buffer));
  }
}

}  // namespace detail

/// Sorts `keys` ascending by their lowest `bits` bits and carries `values` along.
inline void radix_sort(AlignedVector<std::uint64_t>& keys, AlignedVector<std::int32_t>& values,
                       int bits) {
  const std::size_t n = keys.size();
  if (n < 2 || bits == 0) return;
  AlignedVector<std::uint64_t> other_keys(n);
  AlignedVector<std::int32_t> other_values(n);
  const detail::KeyRange all{keys.data(), other_keys.data(), values.data(), other_values.data(), n,
                             bits};
  // For few keys one thread is faster than several.
  constexpr std::size_t few = 4096;
  if (n <= few) return detail::sort_range(all, detail::Buffer::own);
  detail::sort_range_parallel(all, detail::Buffer::own);
}

/// The numbers below n, sorted by key_of(number); `keys` then contains the sorted keys.
template <class KeyOf>
AlignedVector<std::int32_t> sorted_by_key(std::size_t n, int bits, const KeyOf& key_of,
                                          AlignedVector<std::uint64_t>& keys) {
  AlignedVector<std::int32_t> order(n);
  keys.resize(n);
  parallel_for(n, [&](std::size_t i) {
    order[i] = static_cast<std::int32_t>(i);
    keys[i] = key_of(i);
  });
  radix_sort(keys, order, bits);
  return order;
}

}  // namespace rankine
