#include "rankine/fmm/core/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>

namespace rankine::fmm {
namespace {

struct Keys {
  std::string name;
  std::function<std::uint64_t(std::mt19937_64&)> draw;
};

const std::vector<Keys> kinds = {
    {"any", [](auto& random) { return random(); }},
    {"few", [](auto& random) { return random() % 997 << 40 | random() % 13; }},
    {"equal", [](auto&) { return std::uint64_t{7} << 33; }},
    {"alike but for their last bits",
     [](auto& random) { return (std::uint64_t{3} << 60) + random() % 100000; }},
    // Most keys share the first digit, and most of these the second, as in a cluster within a
    // cluster.
    {"skewed",
     [](auto& random) {
       std::uint64_t key = 0;
       for (int level = 0; level < 5; ++level)
         key = key << 12 | (random() % 10 == 0 ? random() % 4096 : 5);
       return key;
     }},
    {"of two bits", [](auto& random) { return (random() % 2 << 62) | (random() % 2 << 20); }}};

TEST(RadixSort, SortsStablyAndCarriesTheValues) {
  std::mt19937_64 random(3);
  for (const Keys& kind : kinds) {
    for (const std::size_t n : {0, 1, 5, 25, 400, 10007, 300000}) {
      for (const int bits : {64, 63, 30, 1}) {
        AlignedVector<std::uint64_t> keys(n);
        for (auto& key : keys) key = kind.draw(random);
        const auto low = [&](std::uint64_t key) { return key << (64 - bits); };
        std::vector<std::int32_t> expected(n);
        std::iota(expected.begin(), expected.end(), 0);
        std::stable_sort(expected.begin(), expected.end(),
                         [&](auto a, auto b) { return low(keys[a]) < low(keys[b]); });
        for (const int threads : {1, 2, 5}) {
          auto sorted = keys;
          AlignedVector<std::int32_t> values(n);
          std::iota(values.begin(), values.end(), 0);
          Execution{.threads = threads}.run([&] { radix_sort(sorted, values, bits); });
          const std::string where = kind.name + ", " + std::to_string(n) + " keys, " +
                                    std::to_string(bits) + " bits, " + std::to_string(threads) +
                                    " threads";
          ASSERT_TRUE(std::equal(values.begin(), values.end(), expected.begin())) << where;
          for (std::size_t i = 0; i < n; ++i)
            ASSERT_EQ(sorted[i], keys[static_cast<std::size_t>(expected[i])]) << where;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rankine::fmm
