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

/// A matrix from arrays that are already on the device. Several matrices may share a pattern.
std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(std::size_t columns,
                                                    std::shared_ptr<const DevicePattern> pattern,
                                                    DeviceBuffer<double> values,
                                                    std::shared_ptr<const Stream> stream);

/// Uploads a matrix. Throws DeviceError if it does not fit into memory.
std::unique_ptr<bem::SparseMatrix> make_cuda_sparse(const bem::SparseRows& matrix,
                                                    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
