#include "rankine/gpu/runtime/staging.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {

void Staging::FreePinned::operator()(std::byte* pointer) const noexcept { cudaFreeHost(pointer); }

template <class Move>
void Staging::in_parcels(std::size_t bytes, const Stream& stream, const Move& move) {
  if (pinned_ == nullptr) {
    void* pointer = nullptr;
    check(cudaMallocHost(&pointer, buffers * buffer_bytes), "allocating pinned host memory");
    pinned_.reset(static_cast<std::byte*>(pointer));
    passed_.resize(buffers);
  }
  std::atomic<std::size_t> next{0};
  on_every_thread([&](int thread, int) {
    if (thread >= buffers) return;
    const DeviceScope scope(*stream.context());
    std::byte* const buffer = pinned_.get() + static_cast<std::size_t>(thread) * buffer_bytes;
    const Event& passed = passed_[static_cast<std::size_t>(thread)];
    for (std::size_t begin = next.fetch_add(buffer_bytes); begin < bytes;
         begin = next.fetch_add(buffer_bytes))
      move(Parcel{begin, std::min(buffer_bytes, bytes - begin), buffer, passed});
  });
}

void Staging::upload(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  in_parcels(bytes, stream, [&](const Parcel& parcel) {
    parcel.passed.synchronize();  // a new event counts as passed
    std::memcpy(parcel.buffer, static_cast<const std::byte*>(host) + parcel.begin, parcel.bytes);
    check(cudaMemcpyAsync(static_cast<std::byte*>(device) + parcel.begin, parcel.buffer,
                          parcel.bytes, cudaMemcpyHostToDevice, stream.handle()),
          "copying to the device");
    parcel.passed.record(stream);
  });
}

void Staging::download(void* host, const void* device, std::size_t bytes, const Stream& stream) {
  stream.synchronize();  // one thread waits for what may last, and not all of them
  in_parcels(bytes, stream, [&](const Parcel& parcel) {
    parcel.passed.synchronize();
    check(cudaMemcpyAsync(parcel.buffer, static_cast<const std::byte*>(device) + parcel.begin,
                          parcel.bytes, cudaMemcpyDeviceToHost, stream.handle()),
          "copying from the device");
    parcel.passed.record(stream);
    parcel.passed.synchronize();
    std::memcpy(static_cast<std::byte*>(host) + parcel.begin, parcel.buffer, parcel.bytes);
  });
}

}  // namespace rankine::gpu
