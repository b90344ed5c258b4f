#include "rankine/gpu/elements/cuda_sparse.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <utility>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// y += alpha A x for `count` vectors stored one after the other; `lanes` threads per row. Every
/// entry is read once.
template <int lanes, int count>
__global__ void __launch_bounds__(threads)
    multiply(SparseView matrix, double alpha, const double* __restrict__ x,
             double* __restrict__ y) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / lanes;
  if (row >= matrix.rows) return;
  const int lane = threadIdx.x % lanes;
  double sum[count] = {};
  for (std::int64_t k = matrix.offsets[row] + lane; k < matrix.offsets[row + 1]; k += lanes) {
    const double value = matrix.values[k];
    const double* at = x + matrix.column[k];
#pragma unroll
    for (int c = 0; c < count; ++c) sum[c] = fma(value, at[c * matrix.columns], sum[c]);
  }
  const unsigned active =
      lanes == 32 ? 0xffffffffu : ((1u << (lanes % 32)) - 1u) << (threadIdx.x % 32 / lanes * lanes);
#pragma unroll
  for (int c = 0; c < count; ++c) {
    for (int step = lanes / 2; step > 0; step /= 2)
      sum[c] += __shfl_down_sync(active, sum[c], step, lanes);
    if (lane == 0) y[c * matrix.rows + row] = fma(alpha, sum[c], y[c * matrix.rows + row]);
  }
}

class CudaSparseMatrix final : public bem::SparseMatrix {
 public:
  CudaSparseMatrix(std::size_t columns, std::shared_ptr<const DevicePattern> pattern,
                   DeviceBuffer<double> values, std::shared_ptr<const Stream> stream)
      : stream_(std::move(stream)),
        columns_(columns),
        pattern_(std::move(pattern)),
        values_(std::move(values)) {}

  std::size_t rows() const override { return pattern_->offsets.size() - 1; }
  std::size_t columns() const override { return columns_; }
  std::size_t entries() const override { return values_.size(); }
  std::size_t bytes() const override {
    return values_.bytes() + pattern_->columns.bytes() + pattern_->offsets.bytes();
  }
  bem::SparseRows on_host() const override {
    auto pattern = std::make_shared<bem::SparsityPattern>();
    const std::vector<std::int64_t> offsets = pattern_->offsets.download(*stream_);
    const std::vector<std::int32_t> columns = pattern_->columns.download(*stream_);
    const std::vector<double> values = values_.download(*stream_);
    pattern->offsets.assign(offsets.begin(), offsets.end());
    pattern->columns.assign(columns.begin(), columns.end());
    return {columns_, std::move(pattern), {values.begin(), values.end()}};
  }

  SparseView view() const {
    return {static_cast<std::int64_t>(rows()), static_cast<std::int64_t>(columns_),
            pattern_->offsets.data(), pattern_->columns.data(), values_.data()};
  }

  void add(double alpha, const double* x, double* y, int rhs) override {
    // With half as many lanes as a row has entries, no lane is idle and the loads coalesce.
    const std::size_t row_length = rows() > 0 ? entries() / rows() : 0;
    if (row_length >= 64) {
      add_with<32>(alpha, x, y, rhs);
    } else if (row_length >= 24) {
      add_with<16>(alpha, x, y, rhs);
    } else if (row_length >= 6) {
      add_with<8>(alpha, x, y, rhs);
    } else {
      add_with<1>(alpha, x, y, rhs);
    }
  }

  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    if (!transposed_) transposed_ = transposed(*this, stream_);
    transposed_->add(alpha, x, y, rhs);
  }

 private:
  template <int lanes>
  void add_with(double alpha, const double* x, double* y, int rhs) const {
    while (rhs > 0) {
      const int count = rhs >= 4 ? 4 : rhs >= 2 ? 2 : 1;
      if (count == 4) add_some<lanes, 4>(alpha, x, y);
      if (count == 2) add_some<lanes, 2>(alpha, x, y);
      if (count == 1) add_some<lanes, 1>(alpha, x, y);
      x += count * columns_;
      y += count * rows();
      rhs -= count;
    }
  }

  template <int lanes, int count>
  void add_some(double alpha, const double* x, double* y) const {
    launch("sparse product", multiply<lanes, count>, {blocks_for(rows() * lanes, threads), threads},
           *stream_, view(), alpha, x, y);
  }

  std::shared_ptr<const Stream> stream_;
  std::size_t columns_;
  std::shared_ptr<const DevicePattern> pattern_;
  DeviceBuffer<double> values_;
  std::unique_ptr<bem::SparseMatrix> transposed_;
};

/// The row and the number of every entry, and the number of entries of every column at `of_column`.
__global__ void __launch_bounds__(loop_threads)
    number_entries(const __grid_constant__ SparseView matrix, std::int32_t* row,
                   std::int64_t* entry, unsigned long long* of_column) {
  const std::int64_t i = thread_index();
  if (i >= matrix.rows) return;
  for (std::int64_t k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
    row[k] = static_cast<std::int32_t>(i);
    entry[k] = k;
    atomicAdd(of_column + matrix.column[k], 1ull);
  }
}

/// Copies entries in the order of the transpose.
__global__ void __launch_bounds__(loop_threads)
    gather_entries(std::int64_t entries, const std::int64_t* entry, const std::int32_t* row,
                   const double* values, std::int32_t* row_out, double* value_out) {
  const std::int64_t k = thread_index();
  if (k >= entries) return;
  row_out[k] = row[entry[k]];
  value_out[k] = values[entry[k]];
}

}  // namespace

SparseView view_of(const bem::SparseMatrix& matrix) {
  return dynamic_cast<const CudaSparseMatrix&>(matrix).view();
}

std::unique_ptr<bem::SparseMatrix> transposed(const bem::SparseMatrix& matrix,
                                              std::shared_ptr<const Stream> stream) {
  const SparseView from = view_of(matrix);
  const std::size_t entries = matrix.entries();
  auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {matrix.columns() + 1, *stream};
  pattern->offsets.zero(*stream);
  pattern->columns = {entries, *stream};
  DeviceBuffer<std::int32_t> row(entries, *stream), column(entries, *stream);
  DeviceBuffer<std::int64_t> number(entries, *stream), sorted(entries, *stream);
  DeviceBuffer<double> values(entries, *stream);
  launch("entries of a matrix", &number_entries, one_thread_each(matrix.rows()), *stream, from,
         row.data(), number.data(), reinterpret_cast<unsigned long long*>(pattern->offsets.data()));
  sum_before(pattern->offsets, *stream);
  with_scratch("sorting a matrix", *stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(
        scratch, bytes, from.column, column.data(), number.data(), sorted.data(),
        static_cast<std::int64_t>(entries), 0, 32, stream->handle());
  });
  launch("transpose", &gather_entries, one_thread_each(entries), *stream,
         static_cast<std::int64_t>(entries), static_cast<const std::int64_t*>(sorted.data()),
         static_cast<const std::int32_t*>(row.data()), from.values, pattern->columns.data(),
         values.data());
  return make_cuda_sparse(matrix.rows(), std::move(pattern), std::move(values), std::move(stream));
}

std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(std::size_t columns,
                                                    std::shared_ptr<const DevicePattern> pattern,
                                                    DeviceBuffer<double> values,
                                                    std::shared_ptr<const Stream> stream) {
  return std::make_unique<CudaSparseMatrix>(columns, std::move(pattern), std::move(values),
                                            std::move(stream));
}

std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(const bem::SparseRows& matrix,
                                                    std::shared_ptr<const Stream> stream) {
  auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {matrix.pattern->offsets, *stream};
  pattern->columns = {matrix.pattern->columns, *stream};
  DeviceBuffer<double> values(matrix.values, *stream);
  return make_cuda_sparse(matrix.columns, std::move(pattern), std::move(values), std::move(stream));
}

}  // namespace rankine::gpu
