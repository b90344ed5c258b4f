#include "rankine/gpu/runtime/stream.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/device_memory.hpp"
#include "rankine/gpu/runtime/staging.hpp"

namespace rankine::gpu {
namespace {

/// Lets the device's memory pool keep what is freed:
/// setup and apply allocate the same sizes again and again.
void keep_freed_memory() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the device's memory pool");
  std::uint64_t threshold = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
        "configuring the memory pool");
}

}  // namespace

Stream::Stream(Priority priority) {
  keep_freed_memory();
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for stream priorities");
  cudaStream_t handle = nullptr;
  check(cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking,
                                     priority == Priority::high ? greatest : least),
        "creating a stream");
  handle_.reset(handle);
}

Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

Staging& Stream::staging() const {
  if (staging_ == nullptr) staging_ = std::make_unique<Staging>();
  return *staging_;
}

void Stream::Destroy::operator()(CUstream_st* handle) const noexcept { cudaStreamDestroy(handle); }

void Stream::synchronize() const { check(cudaStreamSynchronize(handle()), "waiting for a stream"); }

void Stream::wait(const Event& event) const {
  check(cudaStreamWaitEvent(handle(), event.handle(), 0), "making a stream wait for an event");
}

Event::Event(Timing timing) {
  cudaEvent_t handle = nullptr;
  check(cudaEventCreateWithFlags(&handle,
                                 timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
        "creating an event");
  handle_.reset(handle);
}

void Event::Destroy::operator()(CUevent_st* handle) const noexcept { cudaEventDestroy(handle); }

void Event::record(const Stream& stream) const {
  check(cudaEventRecord(handle(), stream.handle()), "recording an event");
}

void Event::synchronize() const { check(cudaEventSynchronize(handle()), "waiting for an event"); }

double seconds_between(const Event& begin, const Event& end) {
  end.synchronize();
  float milliseconds = 0.0f;
  check(cudaEventElapsedTime(&milliseconds, begin.handle(), end.handle()),
        "timing between two events");
  return 1e-3 * milliseconds;
}

void* allocate_bytes(std::size_t bytes, CUstream_st* stream) {
  void* pointer = nullptr;
  const cudaError_t status = cudaMallocAsync(&pointer, bytes, stream);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    require_memory(bytes, "The next array",
                   "Reduce the number of points or the accuracy, use single precision, or choose "
                   "--backend cpu.");
  }
  check(status, "allocating device memory");
  return pointer;
}

void free_bytes(void* pointer, CUstream_st* stream) noexcept { cudaFreeAsync(pointer, stream); }

void upload_bytes(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  if (bytes >= Staging::least_bytes) {
    stream.staging().upload(device, host, bytes, stream);
    return;
  }
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream.handle()),
        "copying to the device");
}

void download_bytes(void* host, const void* device, std::size_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream),
        "copying from the device");
}

void copy_bytes(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream),
        "copying on the device");
}

void zero_bytes(void* device, std::size_t bytes, CUstream_st* stream) {
  check(cudaMemsetAsync(device, 0, bytes, stream), "clearing device memory");
}

}  // namespace rankine::gpu
