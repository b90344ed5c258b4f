// The vector operations of GMRES on a CUDA device. All are limited by memory bandwidth. Sums use a
// fixed grid and a fixed order, so a device gives the same bits in every run.
#pragma once

#include <cstddef>
#include <memory>

#include "rankine/bem/vector_steps.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

class VectorOps {
 public:
  explicit VectorOps(std::shared_ptr<const Stream> stream);

  /// bem/vector_steps.hpp
  void each(std::size_t n, const bem::VectorStep& step) const;
  std::size_t count(std::size_t n, const bem::LimitGrowth& limit) const;

  /// h = V^T w with h on the host; V is column-major, n x k. Waits for the result.
  void project(std::size_t n, int k, const double* v, const double* w, double* h);
  /// w -= V h with h on the host.
  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) const;

 private:
  struct FreePinned {
    void operator()(double* pointer) const noexcept;
  };

  std::shared_ptr<const Stream> stream_;
  unsigned blocks_;
  std::unique_ptr<double, FreePinned> result_;  ///< pinned, written by the device
  DeviceBuffer<double> partial_;
  int capacity_ = 0;  ///< number of columns of `result_` and `partial_`
};

}  // namespace rankine::gpu
