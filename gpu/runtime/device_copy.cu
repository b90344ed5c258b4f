#include "rankine/gpu/runtime/device_copy.hpp"

#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// `count` elements of `words` words each.
__global__ void __launch_bounds__(loop_threads)
    gather_words_kernel(const std::uint64_t* from, const std::int64_t* numbers, std::int64_t count,
                        std::int64_t words, std::uint64_t* to) {
  const std::int64_t i = thread_index();
  if (i < count * words) to[i] = from[numbers[i / words] * words + i % words];
}

}  // namespace

void DeviceBytes::download(std::span<std::byte> host) const {
  if (host.empty()) return;
  const DeviceScope scope(*stream->context());
  download_bytes(host.data(), buffer.data(), host.size(), *stream);
  stream->synchronize();
}

void DeviceBytes::gather(std::span<const std::int64_t> numbers, std::size_t size,
                         std::byte* host) const {
  if (numbers.empty()) return;
  const DeviceScope scope(*stream->context());
  const DeviceBuffer<std::int64_t> from(numbers, *stream);
  const std::size_t words = size / sizeof(std::uint64_t);
  DeviceBuffer<std::uint64_t> gathered(numbers.size() * words, *stream);
  launch("gathering elements", &gather_words_kernel, one_thread_each(gathered.size()), *stream,
         reinterpret_cast<const std::uint64_t*>(buffer.data()), from.data(),
         static_cast<std::int64_t>(numbers.size()), static_cast<std::int64_t>(words),
         gathered.data());
  download_bytes(host, gathered.data(), gathered.bytes(), *stream);
  stream->synchronize();
}

}  // namespace rankine::gpu
