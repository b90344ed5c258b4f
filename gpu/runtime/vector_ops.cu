#include "rankine/gpu/runtime/vector_ops.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int blocks_per_multiprocessor = 4;

/// Columns that are multiplied in one pass over w.
constexpr int column_group = 8;

/// Coefficients that are passed as a kernel parameter.
constexpr int most_coefficients = 64;
struct Coefficients {
  double value[most_coefficients];
};

template <class Body>
__global__ void __launch_bounds__(threads) for_each_kernel(std::size_t n, Body body) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * threads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n;
       i += stride)
    body(i);
}

/// Partial products of column_group columns with w: partial[column * gridDim.x + block].
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    project_kernel(std::size_t n, int k, const double* __restrict__ v, const double* __restrict__ w,
                   double* __restrict__ partial) {
  const int first = static_cast<int>(blockIdx.y) * column_group;
  const int columns = min(column_group, k - first);
  const double* group = v + first * n;
  double sum[column_group] = {};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * threads;
#pragma unroll 2
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n;
       i += stride) {
    const double own = w[i];
#pragma unroll
    for (int c = 0; c < column_group; ++c) {
      if (c < columns) sum[c] = fma(group[c * n + i], own, sum[c]);
    }
  }
  __shared__ double of_warp[column_group][warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int c = 0; c < column_group; ++c) {
    for (int step = 16; step > 0; step /= 2) sum[c] += __shfl_down_sync(0xffffffffu, sum[c], step);
    if (lane == 0) of_warp[c][warp] = sum[c];
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < columns) {
    double total = 0.0;
    for (int i = 0; i < warps; ++i) total += of_warp[threadIdx.x][i];
    partial[(first + threadIdx.x) * gridDim.x + blockIdx.x] = total;
  }
}

/// result[column] = sum of the column's partial products; one warp per column.
__global__ void finish_projection(const double* __restrict__ partial, int blocks, double* result) {
  double sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < blocks; i += 32)
    sum += partial[blockIdx.x * blocks + i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) result[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(threads)
    subtract_kernel(std::size_t n, int k, const double* __restrict__ v, Coefficients h,
                    double* __restrict__ w) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * threads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x; i < n;
       i += stride) {
    double value = w[i];
#pragma unroll 8
    for (int c = 0; c < k; ++c) value = fma(-h.value[c], v[c * n + i], value);
    w[i] = value;
  }
}

template <class Body>
void for_each(const char* name, std::size_t n, const Stream& stream, const Body& body) {
  launch(name, for_each_kernel<Body>, {blocks_for(n, threads), threads}, stream, n, body);
}

}  // namespace

VectorOps::VectorOps(std::shared_ptr<const Stream> stream)
    : stream_(std::move(stream)),
      blocks_(static_cast<unsigned>(blocks_per_multiprocessor *
                                    stream_->context()->device().multiprocessors)) {}

void VectorOps::FreePinned::operator()(double* pointer) const noexcept { cudaFreeHost(pointer); }

void VectorOps::each(std::size_t n, const bem::VectorStep& step) const {
  std::visit([&](const auto& one) { for_each("vector step", n, *stream_, one); }, step);
}

std::size_t VectorOps::count(std::size_t n, const bem::LimitGrowth& limit) const {
  DeviceBuffer<unsigned long long> limited(1, *stream_);
  limited.zero(*stream_);
  unsigned long long* const total = limited.data();
  for_each("limit_growth", n, *stream_, [=] __device__(std::size_t i) {
    if (limit(i)) atomicAdd(total, 1ULL);
  });
  return limited.download(*stream_).front();
}

void VectorOps::project(std::size_t n, int k, const double* v, const double* w, double* h) {
  if (k == 0) return;
  if (n == 0) {
    std::fill(h, h + k, 0.0);
    return;
  }
  if (k > capacity_) {
    const DeviceScope scope(*stream_->context());
    const int columns = std::max(k, 2 * capacity_);
    double* pinned = nullptr;
    check(cudaMallocHost(&pinned, static_cast<std::size_t>(columns) * sizeof(double)),
          "allocating pinned host memory");
    result_.reset(pinned);
    partial_ = DeviceBuffer<double>(static_cast<std::size_t>(columns) * blocks_, *stream_);
    capacity_ = columns;
  }
  const unsigned blocks = std::min(blocks_, blocks_for(n, threads));
  launch("project", project_kernel,
         {dim3(blocks, blocks_for(static_cast<std::size_t>(k), column_group)), threads}, *stream_,
         n, k, v, w, partial_.data());
  launch("finish_projection", finish_projection, {static_cast<unsigned>(k), 32}, *stream_,
         partial_.data(), static_cast<int>(blocks), result_.get());
  stream_->synchronize();
  std::copy(result_.get(), result_.get() + k, h);
}

void VectorOps::subtract(std::size_t n, int k, const double* v, const double* h, double* w) const {
  const unsigned blocks = std::min(2 * blocks_, blocks_for(n, threads));
  for (int first = 0; first < k; first += most_coefficients) {
    const int columns = std::min(most_coefficients, k - first);
    Coefficients coefficients{};
    std::copy(h + first, h + first + columns, coefficients.value);
    launch("subtract", subtract_kernel, {blocks, threads}, *stream_, n, columns, v + first * n,
           coefficients, w);
  }
}

}  // namespace rankine::gpu
