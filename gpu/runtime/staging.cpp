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
  passed_.resize(buffers);
}

void Staging::FreePinned::operator()(std::byte* pointer) const noexcept { cudaFreeHost(pointer); }

void Staging::upload(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  if (pinned_ == nullptr) make_buffers();
  auto* to = static_cast<std::byte*>(device);
  const auto* from = static_cast<const std::byte*>(host);
  for (std::size_t done = 0; done < bytes; done += buffer_bytes) {
    const std::size_t part = std::min(buffer_bytes, bytes - done);
    passed_[next_].synchronize();  // a new event counts as passed
    copy_with_all_threads(buffer(next_), from + done, part);
    check(cudaMemcpyAsync(to + done, buffer(next_), part, cudaMemcpyHostToDevice, stream.handle()),
          "copying to the device");
    passed_[next_].record(stream);
    next_ = (next_ + 1) % buffers;
  }
}

void Staging::download(void* host, const void* device, std::size_t bytes, const Stream& stream) {
  if (pinned_ == nullptr) make_buffers();
  auto* to = static_cast<std::byte*>(host);
  const auto* from = static_cast<const std::byte*>(device);
  const std::size_t parts = (bytes + buffer_bytes - 1) / buffer_bytes;
  const auto size = [&](std::size_t part) {
    return std::min(buffer_bytes, bytes - part * buffer_bytes);
  };
  const auto fetch = [&](std::size_t part) {
    const int index = static_cast<int>(part % buffers);
    passed_[index].synchronize();
    check(cudaMemcpyAsync(buffer(index), from + part * buffer_bytes, size(part),
                          cudaMemcpyDeviceToHost, stream.handle()),
          "copying from the device");
    passed_[index].record(stream);
  };
  for (std::size_t part = 0; part < std::min<std::size_t>(buffers, parts); ++part) fetch(part);
  for (std::size_t part = 0; part < parts; ++part) {
    const int index = static_cast<int>(part % buffers);
    passed_[index].synchronize();
    copy_with_all_threads(to + part * buffer_bytes, buffer(index), size(part));
    if (part + buffers < parts) fetch(part + buffers);
  }
}

}  // namespace rankine::gpu
