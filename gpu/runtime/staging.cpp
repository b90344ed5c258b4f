#include "rankine/gpu/runtime/staging.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {
namespace {

void copy_with_all_threads(std::byte* to, const std::byte* from, std::size_t bytes) {
  parallel_parts(bytes, [&](const Part& part) {
    std::memcpy(to + part.begin, from + part.begin, part.end - part.begin);
  });
}

}  // namespace

void Staging::make_buffers() {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, buffers * buffer_bytes), "allocating pinned host memory");
  pinned_.reset(static_cast<std::byte*>(pointer));
  sent_.resize(buffers);
}

void Staging::FreePinned::operator()(std::byte* pointer) const noexcept { cudaFreeHost(pointer); }

void Staging::upload(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  if (pinned_ == nullptr) make_buffers();
  auto* to = static_cast<std::byte*>(device);
  const auto* from = static_cast<const std::byte*>(host);
  for (std::size_t done = 0; done < bytes; done += buffer_bytes) {
    const std::size_t part = std::min(buffer_bytes, bytes - done);
    std::byte* buffer = pinned_.get() + static_cast<std::size_t>(next_) * buffer_bytes;
    sent_[next_].synchronize();  // a new event counts as passed
    copy_with_all_threads(buffer, from + done, part);
    check(cudaMemcpyAsync(to + done, buffer, part, cudaMemcpyHostToDevice, stream.handle()),
          "copying to the device");
    sent_[next_].record(stream);
    next_ = (next_ + 1) % buffers;
  }
}

}  // namespace rankine::gpu
