#include "rankine/fmm/core/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace rankine::fmm {
namespace {

TEST(RadixSort, SortsStablyAndCarriesTheValues) {
  std::mt19937_64 generator(3);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{10007}}) {
    AlignedVector<std::uint64_t> keys(n);
    for (auto& key : keys) key = generator() % 997 << 40 | generator() % 13;
    AlignedVector<std::int32_t> values(n), expected(n);
    std::iota(values.begin(), values.end(), 0);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](auto a, auto b) { return keys[a] < keys[b]; });
    auto sorted = keys;
    radix_sort(sorted, values, 63);
    EXPECT_EQ(values, expected);
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  }
}

}  // namespace
}  // namespace rankine::fmm
