// Some rows of the inverse of a dense matrix, by Gauss-Jordan elimination with partial pivoting, as
// the work of one block of threads.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace rankine::gpu {

inline constexpr int invert_threads = 256, width_of_block = 16;
static_assert(invert_threads == width_of_block * width_of_block);

/// A matrix in device memory, whose inverse replaces it. Only the rows from `around` on are those
/// of the inverse: the first `around` unknowns are eliminated first, and their rows are not used
/// afterwards. Columns are eliminated in blocks. With the pivot rows K of a block,
///
///   A_KJ <- A_KK^-1 A_KJ ,   A_RJ <- A_RJ - A_RK (A_KK^-1 A_KJ) .
class PatchMatrix {
 public:
  /// Rows start at multiples of 16 bytes.
  __host__ __device__ static constexpr int stride_of(int most) { return (most + 3) / 4 * 4; }
  /// Shared memory for matrices of at most `most` rows, in bytes.
  static std::size_t shared_bytes(int most) {
    const auto size = static_cast<std::size_t>(stride_of(most));
    return 3 * sizeof(float) * size * width + 2 * sizeof(int) * size;
  }

  /// `matrix` has most x stride_of(most) elements.
  __device__ PatchMatrix(void* shared, float* matrix, int rows, int rows_around, int most)
      : size(rows), around(rows_around), stride_(stride_of(most)), a_(matrix) {
    columns_ = static_cast<float*>(shared);
    work_ = columns_ + stride_ * width;
    pivot_rows_ = work_ + stride_ * width;
    pivots_ = reinterpret_cast<int*>(pivot_rows_ + stride_ * width);
    order_ = pivots_ + stride_;
  }
  __device__ float& at(int row, int column) const { return a_[row * stride_ + column]; }

  __device__ void invert() const {
    eliminate(0, around, false);
    eliminate(around, size, true);
    if (threadIdx.x == 0) {
      for (int k = 0; k < size; ++k) order_[k] = k;
      for (int k = size - 1; k >= 0; --k) exchange(order_[pivots_[k]], order_[k]);
    }
    __syncthreads();
  }
  /// An entry of the inverse, in a row from `around` on.
  __device__ float inverse(int row, int column) const { return at(row, order_[column]); }

  const int size, around;

 private:
  static constexpr int width = width_of_block;

  /// Eliminates the unknowns begin .. end - 1. Changes later rows, and if `keep` also the rows of
  /// all these unknowns.
  __device__ void eliminate(int begin, int end, bool keep) const {
    for (int k = begin; k < end; k += width) {
      const int count = min(width, end - k);
      const int first = keep ? begin : k;  // rows that are still needed
      for (int e = threadIdx.x; e < (size - first) * width; e += invert_threads) {
        const int row = first + e / width, column = e % width;
        columns_[e] = work_[e] = column < count ? at(row, k + column) : 0.0f;
      }
      __syncthreads();
      float* const mine = columns_ - first * width;
      choose_pivots(mine, work_ - first * width, k, count, end);
      for (int column = threadIdx.x; column < size; column += invert_threads) {
        for (int row = k; row < k + count; ++row)
          exchange(at(row, column), at(pivots_[row], column));
      }
      const float inverse = of_pivots(mine, k, count);
      __syncthreads();
      work_[threadIdx.x] = inverse;
      __syncthreads();
      scale_pivot_rows(k, count, keep);
      __syncthreads();
      subtract(mine, k, count, first);
      __syncthreads();
    }
  }

  template <class T>
  __device__ static void exchange(T& x, T& y) {
    const T value = x;
    x = y;
    y = value;
  }

  /// Partial pivoting among the rows k .. end - 1: exchanges rows of both copies of the columns.
  __device__ void choose_pivots(float* mine, float* trial, int k, int count, int end) const {
    __shared__ float largest[invert_threads / 32];
    __shared__ int best[invert_threads / 32];
    for (int j = 0; j < count; ++j) {
      float value = -1.0f;
      int at = k + j;
      for (int row = k + j + static_cast<int>(threadIdx.x); row < end; row += invert_threads) {
        const float other = fabsf(trial[row * width + j]);
        if (other > value) {
          value = other;
          at = row;
        }
      }
      const auto reduce = [&] {
        for (int step = 16; step > 0; step /= 2) {
          const float other = __shfl_xor_sync(~0U, value, step);
          const int row = __shfl_xor_sync(~0U, at, step);
          if (other > value || (other == value && row < at)) {
            value = other;
            at = row;
          }
        }
      };
      reduce();
      if (threadIdx.x % 32 == 0) {
        largest[threadIdx.x / 32] = value;
        best[threadIdx.x / 32] = at;
      }
      __syncthreads();
      if (threadIdx.x < 32) {
        value = threadIdx.x < invert_threads / 32 ? largest[threadIdx.x] : -2.0f;
        at = threadIdx.x < invert_threads / 32 ? best[threadIdx.x] : end;
        reduce();
        if (threadIdx.x == 0) pivots_[k + j] = at;
      }
      __syncthreads();
      const int pivot = pivots_[k + j];
      if (threadIdx.x < 2 * width) {
        float* const copy = threadIdx.x < width ? mine : trial;
        const int column = threadIdx.x % width;
        exchange(copy[(k + j) * width + column], copy[pivot * width + column]);
      }
      __syncthreads();
      const float* const row_of_pivot = trial + (k + j) * width;
      const float scale = 1.0f / row_of_pivot[j];
      for (int row = k + j + 1 + static_cast<int>(threadIdx.x); row < end; row += invert_threads) {
        const float factor = trial[row * width + j] * scale;
        for (int column = j + 1; column < count; ++column)
          trial[row * width + column] -= factor * row_of_pivot[column];
      }
      __syncthreads();
    }
  }

  /// The entry of A_KK^-1, and of the identity in further rows, that belongs to this thread.
  __device__ float of_pivots(const float* mine, int k, int count) const {
    __shared__ float block[width][width + 1];
    const int row = threadIdx.x / width, column = threadIdx.x % width;
    float value = row < count && column < count ? mine[(k + row) * width + column]
                                                : (row == column ? 1.0f : 0.0f);
    for (int j = 0; j < width; ++j) {
      block[row][column] = value;
      __syncthreads();
      const float pivot = 1.0f / block[j][j], left = row == j ? -1.0f : block[row][j],
                  right = column == j ? 1.0f : block[j][column];
      value = (row == j || column == j ? 0.0f : value) - left * right * pivot;
      __syncthreads();
    }
    return value;
  }

  /// pivot_rows_ = A_KK^-1 A_KJ, with A_KK^-1 from `work_`; in columns K they are A_KK^-1.
  __device__ void scale_pivot_rows(int k, int count, bool keep) const {
    for (int column = threadIdx.x; column < size; column += invert_threads) {
      const int own = column - k;
      const bool of_block = own >= 0 && own < count;
      float given[width];
#pragma unroll
      for (int j = 0; j < width; ++j)
        given[j] = of_block ? (j == own ? 1.0f : 0.0f) : j < count ? at(k + j, column) : 0.0f;
      for (int row = 0; row < width; ++row) {
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < width; ++j) sum += work_[row * width + j] * given[j];
        if (row >= count) sum = 0.0f;
        pivot_rows_[row * stride_ + column] = sum;
        if (keep && row < count) at(k + row, column) = sum;
      }
    }
  }

  /// Subtracts A_RK pivot_rows_ from the rows that are still needed. Each warp has blocks of 4 rows
  /// and 128 columns.
  __device__ void subtract(const float* mine, int k, int count, int first) const {
    const int column_blocks = (size + 127) / 128, row_blocks = (size - first + 3) / 4;
    for (int b = threadIdx.x / 32; b < row_blocks * column_blocks; b += invert_threads / 32) {
      const int row = first + 4 * (b / column_blocks),
                column = 128 * (b % column_blocks) + 4 * (threadIdx.x % 32);
      if (column >= size) continue;
      float4 sum[4];
      for (int r = 0; r < 4; ++r) {
        if (row + r >= size) break;
        sum[r] = *reinterpret_cast<const float4*>(&at(row + r, column));
        float* const values = &sum[r].x;
        for (int c = 0; c < 4; ++c) {
          if (column + c >= k && column + c < k + count) values[c] = 0.0f;
        }
      }
#pragma unroll 4
      for (int j = 0; j < width; ++j) {
        const float4 pivot = *reinterpret_cast<const float4*>(pivot_rows_ + j * stride_ + column);
        for (int r = 0; r < 4; ++r) {
          const float factor = row + r < size ? mine[(row + r) * width + j] : 0.0f;
          sum[r].x -= factor * pivot.x;
          sum[r].y -= factor * pivot.y;
          sum[r].z -= factor * pivot.z;
          sum[r].w -= factor * pivot.w;
        }
      }
      for (int r = 0; r < 4; ++r) {
        if (row + r < size && (row + r < k || row + r >= k + count))
          *reinterpret_cast<float4*>(&at(row + r, column)) = sum[r];
      }
    }
  }

  int stride_;
  float* a_;
  float *columns_, *work_, *pivot_rows_;  ///< a block of columns, twice, and A_KK^-1 A_KJ
  int* pivots_;                           ///< row exchanged with row k
  int* order_;                            ///< where a column of the inverse is stored
};

}  // namespace rankine::gpu
