#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include <cstdint>
#include <limits>
#include <vector>

#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/bem/particles/splitting_steps.hpp"
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

/// Eight threads that share the work on a particle. Each stores a few of its neighbours, so the
/// neighbours for a warp fit into the caches. Particles for which no fractions exist take longest;
/// with one thread per particle, 31 other threads would wait for them.
struct EightLanes {
  static constexpr int count = 8;
  /// Largest number of neighbours per lane. If a lane has more, the particle gets no fractions.
  static constexpr int capacity = 32;
  int index;
  unsigned mask;  ///< of the eight threads in their warp
  bem::MomentMatrix* shared;

  template <class T>
  struct Shared {
    T* object;
    RANKINE_HD explicit Shared(const EightLanes& lanes) : object(lanes.shared) {}
    RANKINE_HD T& get() { return *object; }
  };
  RANKINE_HD void wait() const {
#ifdef __CUDA_ARCH__
    __syncwarp(mask);
#endif
  }

  RANKINE_HD double sum(double x) const {
#ifdef __CUDA_ARCH__
    for (int step = count / 2; step > 0; step /= 2) x += __shfl_xor_sync(mask, x, step);
#endif
    return x;
  }
  /// The value of another lane.
  RANKINE_HD std::uint64_t of([[maybe_unused]] int lane, std::uint64_t value) const {
#ifdef __CUDA_ARCH__
    value = __shfl_sync(mask, value, lane, count);
#endif
    return value;
  }
  RANKINE_HD bool any(bool is) const {
#ifdef __CUDA_ARCH__
    return __any_sync(mask, is) != 0;
#else
    return is;
#endif
  }
};

// Fewer registers per thread allow more resident warps, which hide latency: on an H100 25 ms for
// 10^6 particles, 33 ms with two blocks, 31 ms with five.
constexpr int shared_blocks = 4;

template <class Work>
__global__ void __launch_bounds__(loop_threads, shared_blocks)
    each_shared_kernel(std::int64_t n, const __grid_constant__ Work work) {
  __shared__ bem::MomentMatrix matrices[loop_threads / EightLanes::count];
  const std::int64_t thread = thread_index(), i = thread / EightLanes::count;
  if (i >= n) return;
  const int lane = static_cast<int>(threadIdx.x) % EightLanes::count,
            first = static_cast<int>(threadIdx.x) % 32 - lane;
  work(static_cast<std::size_t>(i),
       EightLanes{lane, 0xffu << first, &matrices[threadIdx.x / EightLanes::count]});
}

template <class Value>
__global__ void __launch_bounds__(loop_threads)
    values_kernel(std::int64_t n, const __grid_constant__ Value of, double* values) {
  const std::int64_t i = thread_index();
  if (i < n) values[i] = of(static_cast<std::size_t>(i));
}

template <class Test>
__global__ void __launch_bounds__(loop_threads)
    test_kernel(std::int64_t n, const __grid_constant__ Test test, std::uint8_t* passes,
                std::int32_t* numbers) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  passes[i] = test(static_cast<std::size_t>(i)) ? 1 : 0;
  numbers[i] = static_cast<std::int32_t>(i);
}

/// Arrays and loops on the device: the Space of bem::redistribute_in.
struct DeviceSpace {
  const Stream& stream;

  template <class T>
  using Array = DeviceBuffer<T>;
  using Lanes = EightLanes;

  template <class T>
  DeviceBuffer<T> make(std::size_t n) const {
    DeviceBuffer<T> array(n, stream);
    array.zero(stream);
    return array;
  }
  template <class T>
  DeviceBuffer<T> given(const std::vector<T>& values) const {
    return {values, stream};
  }
  template <class T>
  std::vector<T> read(const DeviceBuffer<T>& values) const {
    return values.download(stream);
  }
  template <class Work>
  void each(std::size_t n, const Work& work) const {
    launch("redistribution", &each_kernel<Work>, one_thread_each(n), stream,
           static_cast<std::int64_t>(n), work);
  }
  template <class Work>
  void each_shared(std::size_t n, const Work& work) const {
    launch("redistribution", &each_shared_kernel<Work>, one_thread_each(EightLanes::count * n),
           stream, static_cast<std::int64_t>(n), work);
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
  std::size_t sum_before(DeviceBuffer<std::int64_t>& counts) const {
    gpu::sum_before(counts, stream);
    return static_cast<std::size_t>(download_every(counts, counts.size() - 1, 1, stream).front());
  }
  template <class Test>
  DeviceBuffer<std::int32_t> chosen(std::size_t n, const Test& test) const {
    DeviceBuffer<std::uint8_t> passes(n, stream);
    DeviceBuffer<std::int32_t> numbers(n, stream), found(n, stream), count(1, stream);
    count.zero(stream);
    launch("choice", &test_kernel<Test>, one_thread_each(n), stream, static_cast<std::int64_t>(n),
           test, passes.data(), numbers.data());
    with_scratch("choice", stream, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceSelect::Flagged(scratch, bytes, numbers.data(), passes.data(), found.data(),
                                        count.data(), static_cast<std::int64_t>(n),
                                        stream.handle());
    });
    const auto chosen = static_cast<std::size_t>(count.download(stream).front());
    return copied<std::int32_t>(found.span().first(chosen), stream);
  }
  template <class Value>
  double largest(std::size_t n, const Value& of) const {
    if (n == 0) return -std::numeric_limits<double>::infinity();
    DeviceBuffer<double> values(n, stream), most(1, stream);
    launch("values", &values_kernel<Value>, one_thread_each(n), stream,
           static_cast<std::int64_t>(n), of, values.data());
    with_scratch("maximum", stream, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Max(scratch, bytes, values.data(), most.data(),
                                    static_cast<std::int64_t>(n), stream.handle());
    });
    return most.download(stream).front();
  }
};

/// Copies an array from the memory of a backend, and back.
template <class T>
DeviceBuffer<T> taken(const bem::Array& array, const Stream& stream) {
  return copied<T>(
      {reinterpret_cast<const T*>(array.data()), array.size() * sizeof(double) / sizeof(T)},
      stream);
}
template <class T>
bem::Array put(const DeviceBuffer<T>& values, bem::Backend& backend, const Stream& stream) {
  bem::Array array = backend.allocate(values.bytes() / sizeof(double));
  if (values.size() > 0) copy_bytes(array.data(), values.data(), values.bytes(), stream);
  return array;
}

}  // namespace

bem::RedistributionRecord device_redistribution(bem::VortexArrays& particles, std::size_t sheet,
                                                double step,
                                                const bem::RedistributionOptions& options,
                                                bem::Backend& backend, const Stream& stream) {
  DeviceSpace space{stream};
  bem::SpaceParticles<DeviceSpace> here{taken<Vec3d>(particles.positions, stream),
                                        taken<Vec3d>(particles.strengths, stream),
                                        taken<double>(particles.core_radii, stream)};
  const bem::RedistributionRecord record = bem::redistribute_in(space, here, sheet, step, options);
  particles = {put(here.positions, backend, stream), put(here.strengths, backend, stream),
               put(here.core_radii, backend, stream)};
  return record;
}

bem::SplittingRecord device_splitting(bem::VortexArrays& particles, bem::Array& circulations,
                                      const bem::SplittingOptions& options, bem::Backend& backend,
                                      const Stream& stream) {
  DeviceSpace space{stream};
  bem::SpaceParticles<DeviceSpace> here{taken<Vec3d>(particles.positions, stream),
                                        taken<Vec3d>(particles.strengths, stream),
                                        taken<double>(particles.core_radii, stream)};
  DeviceBuffer<double> kappas = taken<double>(circulations, stream);
  bem::SplittingRecord record = bem::split_in(space, here, kappas, options);
  if (record.split.empty()) return record;
  particles = {put(here.positions, backend, stream), put(here.strengths, backend, stream),
               put(here.core_radii, backend, stream)};
  circulations = put(kappas, backend, stream);
  return record;
}

}  // namespace rankine::gpu
