#include "rankine/gpu/sums/vortex_results.hpp"

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// Where d_a d_b stands among xx xy xz yy yz zz.
__device__ constexpr int second(int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  return low == 0 ? high : low + high + 1;
}

/// gridDim.y counts right-hand sides.
template <class T>
__global__ void velocity_kernel(PotentialDerivatives far, SumView<T> near,
                                const std::int32_t* order, double inverse_side,
                                const ApplyArrays* arrays) {
  const std::int64_t i = thread_index(), n = near.size;
  if (i >= n) return;
  const ResultView results = arrays->results;
  const std::int64_t rhs = blockIdx.y, target = order[i], to = rhs * n + target;
  // Component b of the vector potential.
  const auto at = [&](int b) { return (3 * rhs + b) * n + target; };
  const double scale = inverse_side * inverse_side;
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (results.velocity != nullptr) {
      const double curl = far.gradient[3 * at(b) + a] - far.gradient[3 * at(a) + b];
      results.velocity[3 * to + c] =
          curl + scale * static_cast<double>(near.velocity[(3 * rhs + c) * n + i]);
    }
    if (results.velocity_gradient == nullptr) continue;
    for (int j = 0; j < 3; ++j) {
      const double curl =
          far.hessian[6 * at(b) + second(a, j)] - far.hessian[6 * at(a) + second(b, j)];
      results.velocity_gradient[9 * to + 3 * c + j] =
          curl + scale * inverse_side *
                     static_cast<double>(near.velocity_gradient[(9 * rhs + 3 * c + j) * n + i]);
    }
  }
}

template <class T>
__global__ void core_kernel(const double* radii, const std::int32_t* order, std::int64_t n,
                            double side, T* out) {
  const std::int64_t i = thread_index();
  if (i < n) out[i] = static_cast<T>(side / radii[order[i]]);
}

}  // namespace

template <class T>
void write_velocities(const PotentialDerivatives& far, const SumView<T>& near,
                      const std::int32_t* order, double inverse_side, const ApplyArrays* arrays,
                      int rhs, const Stream& stream) {
  LaunchShape shape = one_thread_each(static_cast<std::size_t>(near.size));
  shape.blocks.y = static_cast<unsigned>(rhs);
  launch("velocities", &velocity_kernel<T>, shape, stream, far, near, order, inverse_side, arrays);
}

template <class T>
DeviceBuffer<T> inverse_cores(std::span<const double> core_radii,
                              const DeviceBuffer<std::int32_t>& order, double side,
                              const Stream& stream) {
  DeviceBuffer<T> result(core_radii.size(), stream);
  launch("core radii", &core_kernel<T>, one_thread_each(core_radii.size()), stream,
         core_radii.data(), order.data(), static_cast<std::int64_t>(core_radii.size()), side,
         result.data());
  return result;
}

#define RANKINE_INSTANTIATE(T)                                                            \
  template void write_velocities<T>(const PotentialDerivatives&, const SumView<T>&,       \
                                    const std::int32_t*, double, const ApplyArrays*, int, \
                                    const Stream&);                                       \
  template DeviceBuffer<T> inverse_cores<T>(                                              \
      std::span<const double>, const DeviceBuffer<std::int32_t>&, double, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
