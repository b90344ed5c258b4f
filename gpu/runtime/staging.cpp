#include "rankine/gpu/runtime/staging.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {

void Staging::FreePinned::operator()(std::byte* pointer) const noexcept { cudaFreeHost(pointer); }

template <class Start, class Finish>
void Staging::in_parcels(std::size_t bytes, const Stream& stream, const Start& start,
                         const Finish& finish) {
  if (pinned_ == nullptr) {
    void* pointer = nullptr;
    check(cudaMallocHost(&pointer, buffers * buffer_bytes), "allocating pinned host memory");
    pinned_.reset(static_cast<std::byte*>(pointer));
    passed_.resize(buffers);
  }
  std::atomic<std::size_t> next{0};
  on_every_thread([&](int thread, int threads) {
    const int slots = buffers / std::min(threads, buffers);  // buffers of this thread
    if (thread >= buffers) return;
    const DeviceScope scope(*stream.context());
    std::array<Parcel, buffers> started{};  // by slot
    int slot = 0;
    for (;; slot = (slot + 1) % slots) {
      Parcel& parcel = started[static_cast<std::size_t>(slot)];
      if (parcel.bytes > 0) finish(parcel);
      const auto buffer = static_cast<std::size_t>(thread * slots + slot);
      const std::size_t begin = next.fetch_add(buffer_bytes);
      parcel = {begin, begin < bytes ? std::min(buffer_bytes, bytes - begin) : 0,
                pinned_.get() + buffer * buffer_bytes, &passed_[buffer]};
      if (parcel.bytes == 0) break;
      start(parcel);
    }
    for (int k = 1; k < slots; ++k) {
      const Parcel& parcel = started[static_cast<std::size_t>((slot + k) % slots)];
      if (parcel.bytes > 0) finish(parcel);
    }
  });
}

void Staging::upload(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  const auto start = [&](const Parcel& parcel) {
    parcel.passed->synchronize();  // a new event is already complete
    std::memcpy(parcel.buffer, static_cast<const std::byte*>(host) + parcel.begin, parcel.bytes);
    check(cudaMemcpyAsync(static_cast<std::byte*>(device) + parcel.begin, parcel.buffer,
                          parcel.bytes, cudaMemcpyHostToDevice, stream.handle()),
          "copying to the device");
    parcel.passed->record(stream);
  };
  in_parcels(bytes, stream, start, [](const Parcel&) {});
}

void Staging::download(void* host, const void* device, std::size_t bytes, const Stream& stream) {
  stream.synchronize();  // so that only one thread waits for long kernels
  const auto start = [&](const Parcel& parcel) {
    parcel.passed->synchronize();
    check(cudaMemcpyAsync(parcel.buffer, static_cast<const std::byte*>(device) + parcel.begin,
                          parcel.bytes, cudaMemcpyDeviceToHost, stream.handle()),
          "copying from the device");
    parcel.passed->record(stream);
  };
  in_parcels(bytes, stream, start, [&](const Parcel& parcel) {
    parcel.passed->synchronize();
    std::memcpy(static_cast<std::byte*>(host) + parcel.begin, parcel.buffer, parcel.bytes);
  });
}

}  // namespace rankine::gpu
