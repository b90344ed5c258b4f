// The vector operations of GMRES on a CUDA device. All are limited by memory bandwidth. Sums use a
// fixed grid and a fixed order, so a device gives the same bits in every run.
#pragma once

#include <cstddef>
#include <memory>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

class VectorOps {
 public:
  explicit VectorOps(std::shared_ptr<const Stream> stream);

  void fill(std::size_t n, double value, double* x) const;
  void copy(std::size_t n, const double* x, double* y) const;
  void scale(std::size_t n, double alpha, double* x) const;
  void axpy(std::size_t n, double alpha, const double* x, double* y) const;

  /// y_i += alpha d_i x_i
  void add_product(std::size_t n, double alpha, const double* d, const double* x, double* y) const;

  /// y_i += alpha T_i x_i, or alpha T_i^T x_i, for n vectors of three components and T_i at 9 i.
  void add_tensor_product(std::size_t n, double alpha, const double* tensors, bool transposed,
                          const double* x, double* y) const;
  void add_alignment(std::size_t n, double alpha, const double* gradients, double own,
                     const double* sigma, const double* x, double* y) const;
  void place_beside(std::size_t n, double distance, const double* sigma, const double* x,
                    const double* g, double* p) const;
  void add_derivative(std::size_t n, double distance, const double* sigma, const double* g,
                      const double* u, double* y) const;
  std::size_t limit_growth(std::size_t n, double most, const double* sigma, const double* before,
                           double* x) const;

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
