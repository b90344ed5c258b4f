// Cholesky factors of small symmetric matrices, with the same bits for any position in memory. Host
// and device. T may be a number or SIMD lanes, one matrix per lane.
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/select.hpp"

namespace rankine::bem {

template <int N, class T = double>
class SmallCholesky {
 public:
  /// Factors the matrix with the elements entry(row, column), column <= row.
  template <class Entry>
  RANKINE_HD explicit SmallCholesky(const Entry& entry) {
    using std::sqrt;
    Mask<T> definite = T(1.0) > T(0.0);
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        T left = entry(i, j);
        for (int k = 0; k < j; ++k) left -= factor_[i][k] * factor_[j][k];
        if (j < i) {
          factor_[i][j] = left / factor_[j][j];
          continue;
        }
        definite = definite && left > T(0.0);
        if (!any(definite)) return;
        left = select(definite, left, T(1.0));
        factor_[i][i] = sqrt(left);
        least_ = i == 0 ? left : select(left < least_, left, least_);
        most_ = select(left > most_, left, most_);
      }
    }
    definite_ = definite;
  }

  /// Whether the matrix is positive definite and its smallest pivot above `share` of the largest.
  RANKINE_HD Mask<T> is_regular(double share) const {
    return definite_ && least_ > T(share) * most_;
  }

  /// x becomes the solution for the right-hand side x.
  RANKINE_HD void solve(T (&x)[N]) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= factor_[i][k] * x[k];
      x[i] = x[i] / factor_[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= factor_[k][i] * x[k];
      x[i] = x[i] / factor_[i][i];
    }
  }

 private:
  T factor_[N][N];
  T least_ = 0.0, most_ = 0.0;
  Mask<T> definite_ = T(0.0) > T(0.0);
};

}  // namespace rankine::bem
