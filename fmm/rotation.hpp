// Rotations of real solid harmonics about the y axis.
//
// With coordinates turned by Q = R_y(-theta), which takes a vector at polar angle theta in the x-z
// half plane to the z axis,
//
//   R_n^m(Q r) = sum_m' D^n_{mm'} R_n^m'(r)
//
// D^n is orthogonal and does not mix cosine (m >= 0) and sine (m < 0) parts, hence two blocks per
// degree. Entries by the recursion of Ivanic & Ruedenberg ([IR96] with the correction of 1998),
// stable to far beyond the orders used here.
#pragma once

#include <vector>

namespace rankine::fmm {

/// Blocks of D for degrees 0 ... order - 1. The cosine block of degree n is (n+1) x (n+1),
/// row-major, at cosine_at(n); the sine block, n x n for m = 1 ... n, at sine_at(n).
class RotationY {
 public:
  RotationY(int order, double cos_theta, double sin_theta);

  static int cosine_at(int n) {
    return n * (n + 1) * (2 * n + 1) / 6 + (n - 1) * n * (2 * n - 1) / 6;
  }
  static int sine_at(int n) { return cosine_at(n) + (n + 1) * (n + 1); }

  int order() const { return order_; }
  /// The first `order` degrees.
  RotationY truncated(int order) const {
    RotationY result = *this;
    result.order_ = order;
    result.blocks_.resize(cosine_at(order));
    return result;
  }
  double cosine(int n, int m, int m2) const { return blocks_[cosine_at(n) + m * (n + 1) + m2]; }
  double sine(int n, int m, int m2) const { return blocks_[sine_at(n) + (m - 1) * n + m2 - 1]; }
  const std::vector<double>& blocks() const { return blocks_; }

 private:
  int order_;
  std::vector<double> blocks_;
};

}  // namespace rankine::fmm
