// Sparse matrices on a CUDA device.
#pragma once

#include <cstdint>
#include <memory>

#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::SparsityPattern on the device.
struct DevicePattern {
  DeviceBuffer<std::int64_t> offsets;  ///< rows + 1
  DeviceBuffer<std::int32_t> columns;
};

/// A matrix on the device as an argument of kernels.
struct SparseView {
  std::int64_t rows = 0, columns = 0;
  const std::int64_t* offsets = nullptr;  ///< rows + 1
  const std::int32_t* column = nullptr;   ///< per entry
  const double* values = nullptr;         ///< per entry
};

/// The arrays of a matrix that make_cuda_sparse() made, which must outlive the view. Throws
/// std::bad_cast for other matrices.
SparseView view_of(const bem::SparseMatrix& matrix);

/// A^T. Entries of a row keep their order.
std::unique_ptr<bem::SparseMatrix> transposed(const bem::SparseMatrix& matrix,
                                              std::shared_ptr<const Stream> stream);

/// A matrix from arrays that are already on the device. Several matrices may share a pattern.
std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(std::size_t columns,
                                                    std::shared_ptr<const DevicePattern> pattern,
                                                    DeviceBuffer<double> values,
                                                    std::shared_ptr<const Stream> stream);

/// Uploads a matrix. Throws DeviceError if it does not fit into memory.
std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(const bem::SparseRows& matrix,
                                                    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
