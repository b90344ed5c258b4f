// A backend uses its own device and its own memory pool only.
#include "rankine/gpu/runtime/device_context.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using DeviceContextTest = testing::DeviceTest;

/// Potential of charges on a sphere, by an operator and arrays of `stream`.
std::vector<double> potential_of_charges(const std::shared_ptr<const Stream>& stream) {
  const std::size_t n = 20000;
  const auto points = fmm::make_points("sphere", n, 1);
  const auto op = make_cuda_operator({points, points}, {.direct_pairs = 0}, stream);
  const DeviceBuffer<double> charges(fmm::make_strengths(n, 1), *stream);
  DeviceBuffer<double> potential(n, *stream);
  op->apply({.charges = charges.span()}, {.potential = potential.span()});
  return potential.download(*stream);
}

std::uint64_t of_default_pool(cudaMemPoolAttr attribute) {
  cudaMemPool_t pool = nullptr;
  std::uint64_t value = 0;
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, current_device().index), cudaSuccess);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
  return value;
}

/// True if this process has a context on a device. The query creates none.
bool has_context(int device) {
  void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver == nullptr) throw DeviceError("no libcuda.so.1");
  const auto state = reinterpret_cast<decltype(&cuDevicePrimaryCtxGetState)>(
      ::dlsym(driver, "cuDevicePrimaryCtxGetState"));
  unsigned flags = 0;
  int active = 0;
  EXPECT_EQ(state(device, &flags, &active), CUDA_SUCCESS);
  return active != 0;
}

TEST_F(DeviceContextTest, IsNotMadeOnOtherDevicesByListingThem) {
  const int current = current_device().index;  // queries memory, which creates a context
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  if (count < 2) GTEST_SKIP() << "one CUDA device";
  std::vector<bool> before;
  for (int device = 0; device < count; ++device) before.push_back(has_context(device));
  EXPECT_TRUE(before[current]);
  EXPECT_EQ(devices().size(), before.size());
  for (int device = 0; device < count; ++device) EXPECT_EQ(has_context(device), before[device]);
}

TEST_F(DeviceContextTest, LeavesTheDefaultPoolAlone) {
  const std::uint64_t threshold = of_default_pool(cudaMemPoolAttrReleaseThreshold);
  const std::uint64_t most_used = of_default_pool(cudaMemPoolAttrUsedMemHigh);
  potential_of_charges(std::make_shared<const Stream>());
  EXPECT_EQ(of_default_pool(cudaMemPoolAttrReleaseThreshold), threshold);
  EXPECT_EQ(of_default_pool(cudaMemPoolAttrUsedMemHigh), most_used);
}

TEST_F(DeviceContextTest, CountsItsOwnMemory) {
  const Stream stream, beside(stream.context()), elsewhere;
  constexpr std::size_t bytes = 5'000'000;
  { const DeviceBuffer<char> first(bytes, stream), second(bytes, beside); }
  EXPECT_GE(stream.context()->peak_bytes(), 2 * bytes);
  EXPECT_EQ(elsewhere.context()->peak_bytes(), 0);
}

/// The pool is freed after the last stream and after everything that was allocated from it.
TEST_F(DeviceContextTest, LivesAsLongAsItsStreams) {
  auto first = std::make_unique<Stream>();
  const Stream beside(first->context());
  const std::weak_ptr<const DeviceContext> context = first->context();
  first.reset();
  EXPECT_FALSE(context.expired());
  const std::vector<int> values = {1, 2, 3};
  EXPECT_EQ(DeviceBuffer<int>(values, beside).download(beside), values);
}

TEST_F(DeviceContextTest, HasOneCopyOfAnArrayThatIsHeld) {
  const auto stream = std::make_shared<const Stream>();
  MirroredVector<double> host(1000, 1.0);
  const MirroredVector<double> empty;
  const auto copy = [&] { return DeviceCopy<double>(host, *stream); };
  const auto on_host = [&](const DeviceCopy<double>& there) {
    MirroredVector<double> values(there.size());
    download_bytes(values.data(), there.data(), there.size() * sizeof(double), *stream);
    stream->synchronize();
    return values;
  };
  const std::vector<const Mirror*> mirrors = {&host.mirror(), nullptr, &empty.mirror()};
  const auto hold = [&] { return std::make_unique<MirrorHold>(MemorySpace::device, mirrors); };

  EXPECT_EQ(DeviceCopy<double>(empty, *stream).size(), 0);
  { const DeviceCopy<double> alone = copy(); }
  EXPECT_EQ(host.mirror().copy(), nullptr) << "held by nobody";
  auto first = hold();
  const auto second = hold();
  const DeviceCopy<double> held = copy();
  first.reset();
  EXPECT_EQ(copy().data(), held.data()) << "held twice, released once";
  EXPECT_EQ(on_host(held), host);
  const Stream beside(stream->context());
  EXPECT_NE(DeviceCopy<double>(host, beside).data(), held.data()) << "of another stream";
  const std::span<const double> part = std::span<const double>(host).first(10);
  EXPECT_NE(DeviceCopy<double>(part, *stream).data(), held.data()) << "another array";
  const MirroredVector<double> twin = host;
  EXPECT_NE(DeviceCopy<double>(twin, *stream).data(), held.data()) << "a copy on the host";

  host = AlignedVector<double>(1000, 2.0);
  EXPECT_EQ(on_host(copy()), host) << "another array in its place";
  second->drop();
  EXPECT_EQ(host.mirror().copy(), nullptr) << "dropped";
  host[0] = 3.0;
  EXPECT_EQ(on_host(copy()), host);
}

TEST_F(DeviceContextTest, KeepsNoCopyForTheHost) {
  const auto stream = std::make_shared<const Stream>();
  const MirroredVector<int> host(1000, 1);
  const MirrorHold hold(MemorySpace::host, {&host.mirror()});
  const DeviceCopy<int> copy(host, *stream);
  EXPECT_EQ(host.mirror().copy(), nullptr);
}

TEST_F(DeviceContextTest, KeepsACopyThatIsGivenUntilItIsReleased) {
  const auto stream = std::make_shared<const Stream>();
  MirroredVector<double> made(1000, 1.0);
  const auto given = std::make_shared<DeviceBytes>(1000 * sizeof(double), *stream);
  made.mirror().keep(given);
  const MirroredVector<double> host = std::move(made);
  EXPECT_EQ(host.mirror().copy(), given) << "moves with the array";
  EXPECT_EQ(DeviceCopy<double>(host, *stream).data(),
            reinterpret_cast<const double*>(given->buffer.data()));
  { const MirrorHold hold(MemorySpace::device, {&host.mirror()}); }
  EXPECT_EQ(host.mirror().copy(), nullptr) << "released";
}

TEST_F(DeviceContextTest, WorksWhicheverDeviceTheThreadUses) {
  if (devices().size() < 2) GTEST_SKIP() << "one CUDA device";
  const int before = current_device().index;
  const auto stream = std::make_shared<const Stream>();
  const std::vector<double> expected = potential_of_charges(stream);
  ASSERT_EQ(cudaSetDevice(before == 0 ? 1 : 0), cudaSuccess);
  EXPECT_EQ(potential_of_charges(stream), expected);
  EXPECT_NE(current_device().index, before) << "the thread's own choice must stay";
  ASSERT_EQ(cudaSetDevice(before), cudaSuccess);
}

}  // namespace
}  // namespace rankine::gpu
