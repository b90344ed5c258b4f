#include <cub/device/device_radix_sort.cuh>

#include <cstdint>
#include <vector>

#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

template <class Work>
__global__ void __launch_bounds__(loop_threads)
    each_kernel(std::int64_t n, const __grid_constant__ Work work) {
  const std::int64_t i = thread_index();
  if (i < n) work(static_cast<std::size_t>(i));
}

/// The device, for bem::redistribute_in.
struct DeviceSpace {
  const Stream& stream;

  template <class T>
  using Array = DeviceBuffer<T>;
  template <class T>
  using Shown = DeviceBuffer<T>;

  template <class T>
  DeviceBuffer<T> make(std::size_t n) const {
    DeviceBuffer<T> array(n, stream);
    array.zero(stream);
    return array;
  }
  template <class T>
  DeviceBuffer<T> shown(const std::vector<T>& values) const {
    return {values, stream};
  }
  template <class T>
  void read(const DeviceBuffer<T>& values, std::vector<T>& on_host) const {
    on_host = values.download(stream);
  }
  template <class Work>
  void each(std::size_t n, const Work& work) const {
    launch("redistribution", &each_kernel<Work>, one_thread_each(n), stream,
           static_cast<std::int64_t>(n), work);
  }
  void sort(DeviceBuffer<std::uint64_t>& keys, DeviceBuffer<std::int32_t>& values, int bits) const {
    const DeviceBuffer<std::uint64_t> given_keys = copied<std::uint64_t>(keys.span(), stream);
    const DeviceBuffer<std::int32_t> given_values = copied<std::int32_t>(values.span(), stream);
    with_scratch("sort", stream, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, given_keys.data(), keys.data(),
                                             given_values.data(), values.data(), keys.size(), 0,
                                             bits, stream.handle());
    });
  }
};

}  // namespace

bem::RedistributionRecord device_redistribution(bem::VortexParticles& particles, std::size_t sheet,
                                                double step,
                                                const bem::RedistributionOptions& options,
                                                const Stream& stream) {
  DeviceSpace space{stream};
  return bem::redistribute_in(space, particles, sheet, step, options);
}

}  // namespace rankine::gpu
