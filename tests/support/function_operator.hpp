// A square linear operator in host memory from a function y = A x.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "rankine/bem/linear_operator.hpp"

namespace rankine::testing {

class FunctionOperator final : public bem::LinearOperator {
 public:
  /// For `count` vectors, one after the other.
  using Function = std::function<void(const double* x, double* y, int count)>;

  FunctionOperator(std::size_t n, Function function) : n_(n), function_(std::move(function)) {}

  std::size_t rows() const override { return n_; }
  std::size_t columns() const override { return n_; }
  void add(double alpha, const double* x, double* y, int rhs) override {
    std::vector<double> image(n_ * static_cast<std::size_t>(rhs));
    function_(x, image.data(), rhs);
    for (std::size_t i = 0; i < image.size(); ++i) y[i] += alpha * image[i];
  }
  /// Not needed by the solvers.
  void add_transposed(double, const double*, double*, int) override { std::abort(); }

 private:
  std::size_t n_;
  Function function_;
};

}  // namespace rankine::testing
