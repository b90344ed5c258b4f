#include "rankine/fmm/source_range.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/strengths.hpp"

namespace rankine::gpu {
namespace {

__global__ void store_kernel(ApplyArrays arrays, ApplyArrays* on_device) { *on_device = arrays; }

template <class T>
__global__ void load_kernel(const ApplyArrays* arrays, const std::int32_t* order, std::int64_t n,
                            const std::int32_t* only, std::int64_t count, double inverse_side,
                            StrengthArrays<T> out) {
  const std::int64_t k = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (k >= count) return;
  const std::int64_t i = only == nullptr ? k : only[k];
  const std::int64_t rhs = blockIdx.y, j = rhs * n + order[i];
  const ApplyArrays in = *arrays;
  if (in.vortices != nullptr) {
    for (int axis = 0; axis < 3; ++axis)
      out.charges[(3 * rhs + axis) * n + i] = static_cast<T>(in.vortices[3 * j + axis]);
    return;
  }
  if (out.charges != nullptr) out.charges[rhs * n + i] = static_cast<T>(in.charges[j]);
  if (out.dipoles == nullptr) return;
  const Vec3<T> moment = fmm::source_moment(
      in.normal_dipoles == nullptr ? nullptr : in.normal_dipoles + j,
      [&] {
        return Vec3<T>{out.normals[i], out.normals[n + i], out.normals[2 * n + i]};
      },
      in.dipoles == nullptr ? nullptr : in.dipoles + 3 * j, static_cast<T>(inverse_side));
  for (int axis = 0; axis < 3; ++axis) out.dipoles[(3 * rhs + axis) * n + i] = moment[axis];
}

}  // namespace

void store_arrays(const ApplyArrays& arrays, ApplyArrays* on_device, const Stream& stream) {
  launch("storing the arrays of an apply", &store_kernel, {dim3(1), dim3(1)}, stream, arrays,
         on_device);
}

template <class T>
void load_strengths(const ApplyArrays* arrays, const std::int32_t* order, std::int64_t sources,
                    std::span<const std::int32_t> only, double inverse_side,
                    const StrengthArrays<T>& out, int rhs, const Stream& stream) {
  constexpr int threads = 256;
  const std::int64_t count = only.empty() ? sources : static_cast<std::int64_t>(only.size());
  launch("loading strengths", &load_kernel<T>,
         {dim3(blocks_for(count, threads), rhs), dim3(threads)}, stream, arrays, order, sources,
         only.data(), count, inverse_side, out);
}

template void load_strengths<float>(const ApplyArrays*, const std::int32_t*, std::int64_t,
                                    std::span<const std::int32_t>, double,
                                    const StrengthArrays<float>&, int, const Stream&);
template void load_strengths<double>(const ApplyArrays*, const std::int32_t*, std::int64_t,
                                     std::span<const std::int32_t>, double,
                                     const StrengthArrays<double>&, int, const Stream&);

}  // namespace rankine::gpu
