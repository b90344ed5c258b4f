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

void VectorOps::fill(std::size_t n, double value, double* x) const {
  for_each("fill", n, *stream_, [=] __device__(std::size_t i) { x[i] = value; });
}

void VectorOps::copy(std::size_t n, const double* x, double* y) const {
  if (n > 0) copy_bytes(y, x, n * sizeof(double), *stream_);
}

void VectorOps::scale(std::size_t n, double alpha, double* x) const {
  for_each("scale", n, *stream_, [=] __device__(std::size_t i) { x[i] *= alpha; });
}

void VectorOps::axpy(std::size_t n, double alpha, const double* x, double* y) const {
  for_each("axpy", n, *stream_, [=] __device__(std::size_t i) { y[i] = fma(alpha, x[i], y[i]); });
}

void VectorOps::add_product(std::size_t n, double alpha, const double* d, const double* x,
                            double* y) const {
  for_each("add_product", n, *stream_,
           [=] __device__(std::size_t i) { y[i] = fma(alpha * d[i], x[i], y[i]); });
}

void VectorOps::add_tensor_product(std::size_t n, double alpha, const double* tensors,
                                   bool transposed, const double* x, double* y) const {
  // One thread per component: stores are contiguous, and the nine entries read by three threads
  // share cache lines.
  const int row = transposed ? 1 : 3, column = transposed ? 3 : 1;
  for_each("add_tensor_product", 3 * n, *stream_, [=] __device__(std::size_t index) {
    const std::size_t i = index / 3;
    const int k = static_cast<int>(index % 3);
    const double* entry = tensors + 9 * i + row * k;
    const double* from = x + 3 * i;
    const double product =
        fma(entry[0], from[0], fma(entry[column], from[1], entry[2 * column] * from[2]));
    y[index] = fma(alpha, product, y[index]);
  });
}

void VectorOps::add_alignment(std::size_t n, double alpha, const double* gradients, double own,
                              const double* sigma, const double* x, double* y) const {
  for_each("add_alignment", n, *stream_, [=] __device__(std::size_t i) {
    const double *g = gradients + 9 * i, *from = x + 3 * i;
    const double turned = own / (sigma[i] * sigma[i] * sigma[i]);
    const double w[3] = {fma(turned, from[0], g[7] - g[5]), fma(turned, from[1], g[2] - g[6]),
                         fma(turned, from[2], g[3] - g[1])};
    const double curl = norm3d(w[0], w[1], w[2]), share = alpha / fmax(1.0, alpha * curl),
                 size = share * norm3d(from[0], from[1], from[2]), rate = share * curl;
    for (int k = 0; k < 3; ++k) y[3 * i + k] += size * w[k] - rate * from[k];
  });
}

void VectorOps::place_beside(std::size_t n, double distance, const double* sigma, const double* x,
                             const double* g, double* p) const {
  for_each("place_beside", n, *stream_, [=] __device__(std::size_t i) {
    const double size = norm3d(g[3 * i], g[3 * i + 1], g[3 * i + 2]),
                 step = size > 0.0 ? distance * sigma[i] / size : 0.0;
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      p[k] = x[k];
      p[3 * n + k] = x[k] + step * g[k];
      p[6 * n + k] = x[k] - step * g[k];
    }
  });
}

void VectorOps::add_derivative(std::size_t n, double distance, const double* sigma, const double* g,
                               const double* u, double* y) const {
  for_each("add_derivative", n, *stream_, [=] __device__(std::size_t i) {
    const double size = norm3d(g[3 * i], g[3 * i + 1], g[3 * i + 2]),
                 factor = size / (2.0 * distance * sigma[i]);
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) y[k] += factor * (u[3 * n + k] - u[6 * n + k]);
  });
}

std::size_t VectorOps::limit_growth(std::size_t n, double most, const double* sigma,
                                    const double* before, double* x) const {
  DeviceBuffer<unsigned long long> limited(1, *stream_);
  limited.zero(*stream_);
  unsigned long long* const count = limited.data();
  for_each("limit_growth", n, *stream_, [=] __device__(std::size_t i) {
    const double* old = before + 3 * i;
    double* const now = x + 3 * i;
    const double limit =
                     fmax(norm3d(old[0], old[1], old[2]), most * sigma[i] * sigma[i] * sigma[i]),
                 size = norm3d(now[0], now[1], now[2]);
    if (size <= limit) return;
    for (int k = 0; k < 3; ++k) now[k] *= limit / size;
    atomicAdd(count, 1ULL);
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
