// Arrays that a device may have made.
#include "rankine/fmm/core/mirrored.hpp"

#include <atomic>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine {
namespace {

/// A copy in ordinary memory, which counts its downloads.
struct CountedCopy final : ArrayCopy {
  explicit CountedCopy(std::size_t size) : values(size) {
    std::iota(values.begin(), values.end(), 0);
  }
  void download(std::span<std::byte> host) const override {
    ++downloads;
    std::memcpy(host.data(), values.data(), host.size());
  }
  void gather(std::span<const std::int64_t> numbers, std::size_t size,
              std::byte* host) const override {
    for (const std::int64_t k : numbers) {
      std::memcpy(host, &values[static_cast<std::size_t>(k)], size);
      host += size;
    }
  }

  std::vector<int> values;
  mutable std::atomic<int> downloads{0};
};

TEST(FetchedVector, IsFetchedOnceByTheFirstOfManyReaders) {
  constexpr std::size_t size = 100'000;
  const auto copy = std::make_shared<CountedCopy>(size);
  const FetchedVector<int> made(size, copy);
  EXPECT_EQ(made.size(), size);
  const std::int64_t some[] = {7, 99'999, 0};
  EXPECT_EQ(made.gathered(some), (AlignedVector<int>{7, 99'999, 0}));
  EXPECT_EQ(copy->downloads, 0);
  std::atomic<std::size_t> wrong{0};
  parallel_for(size, [&](std::size_t i) { wrong += made[i] == static_cast<int>(i) ? 0 : 1; });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(copy->downloads, 1);
}

TEST(FetchedVector, LosesItsCopyIfTheHostChangesIt) {
  FetchedVector<int> made(3, std::make_shared<CountedCopy>(3));
  made.changed()[1] = 5;
  EXPECT_EQ(made.mirror().copy(), nullptr);
  EXPECT_EQ(made.on_host(), (AlignedVector<int>{0, 5, 2}));
}

}  // namespace
}  // namespace rankine
