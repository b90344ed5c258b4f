// The list of devices with a simulated CUDA runtime, in which some devices are busy or fail. No
// device is needed. The simulation lacks the calls that create a context on a chosen device, above
// all cudaSetDevice: with such a call this test does not link.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rankine/gpu/runtime/device.hpp"

namespace {

struct MadeUpDevice {
  std::string name;
  cudaError_t properties = cudaSuccess, memory = cudaSuccess;
};

struct MadeUpRuntime {
  std::vector<MadeUpDevice> devices;
  int current = 0;
  cudaError_t error_of_current = cudaSuccess;
  cudaError_t pending = cudaSuccess;
} runtime;

constexpr std::size_t free_bytes = 3'000'000'000, total_bytes = 4'000'000'000;

cudaError_t answer(cudaError_t error) {
  if (error != cudaSuccess) runtime.pending = error;
  return error;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  *count = static_cast<int>(runtime.devices.size());
  return answer(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int* device) {
  if (runtime.error_of_current == cudaSuccess) *device = runtime.current;
  return answer(runtime.error_of_current);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const MadeUpDevice& asked = runtime.devices.at(device);
  if (asked.properties == cudaSuccess) {
    std::copy(asked.name.begin(), asked.name.end(), properties->name);
    properties->major = 9;
    properties->multiProcessorCount = 132;
    properties->totalGlobalMem = total_bytes;
  }
  return answer(asked.properties);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const cudaError_t error = runtime.devices.at(runtime.current).memory;
  if (error == cudaSuccess) {
    *free = free_bytes;
    *total = total_bytes;
  }
  return answer(error);
}

cudaError_t cudaGetLastError() { return std::exchange(runtime.pending, cudaSuccess); }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorDevicesUnavailable ? "busy or unavailable" : "broken";
}
const char* cudaGetErrorName(cudaError_t) { return "an error"; }
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 12040;
  return cudaSuccess;
}

namespace rankine::gpu {
namespace {

TEST(DeviceList, AsksTheCurrentDeviceAloneForItsMemory) {
  runtime = {.devices = {{"a"}, {"b"}, {"c"}}, .current = 1};
  const std::vector<Device> all = devices();
  ASSERT_EQ(all.size(), 3u);
  for (const Device& each : all) {
    EXPECT_EQ(each.name, runtime.devices[each.index].name);
    EXPECT_EQ(each.total_bytes, total_bytes);
    EXPECT_EQ(each.free_bytes.has_value(), each.index == 1);
    EXPECT_EQ(each.trouble, "");
  }
  EXPECT_EQ(all[1].free_bytes, free_bytes);
}

TEST(DeviceList, SaysThatADeviceIsBusy) {
  runtime = {.devices = {{"a", cudaSuccess, cudaErrorDevicesUnavailable}, {"b"}}};
  const std::vector<Device> all = devices();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].trouble, "busy or unavailable");
  EXPECT_EQ(all[0].free_bytes, std::nullopt);
  EXPECT_EQ(all[1].trouble, "");
  EXPECT_EQ(runtime.pending, cudaSuccess) << "the next check would find it";
}

TEST(DeviceList, NamesADeviceThatCannotBeDescribedAndThoseAfterIt) {
  runtime = {.devices = {{"a", cudaErrorECCUncorrectable}, {"b"}}, .current = 1};
  const std::vector<Device> all = devices();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "device 0");
  EXPECT_EQ(all[0].trouble, "broken");
  EXPECT_EQ(all[0].multiprocessors, 0);
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].free_bytes, free_bytes);
  EXPECT_EQ(runtime.pending, cudaSuccess);
}

TEST(DeviceList, IsWholeWhereNoDeviceIsCurrent) {
  runtime = {.devices = {{"a"}, {"b"}}, .error_of_current = cudaErrorDevicesUnavailable};
  const std::vector<Device> all = devices();
  ASSERT_EQ(all.size(), 2u);
  for (const Device& each : all) EXPECT_EQ(each.free_bytes, std::nullopt);
  EXPECT_EQ(runtime.pending, cudaSuccess);
}

TEST(DeviceList, IsEmptyWhereThereIsNone) {
  runtime = {};
  EXPECT_TRUE(devices().empty());
  EXPECT_FALSE(available());
  EXPECT_EQ(runtime.pending, cudaSuccess);
}

}  // namespace
}  // namespace rankine::gpu
