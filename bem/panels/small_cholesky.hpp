// Cholesky's factors of small symmetric matrices, with the same bits wherever they lie in memory. Host and
// device.
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

template <int N>
class SmallCholesky {
 public:
  /// Of the matrix whose elements are entry(row, column), asked for where column <= row.
  template <class Entry>
  RANKINE_HD explicit SmallCholesky(const Entry& entry) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        double left = entry(i, j);
        for (int k = 0; k < j; ++k) left -= factor_[i][k] * factor_[j][k];
        if (j < i) {
          factor_[i][j] = left / factor_[j][j];
          continue;
        }
        if (!(left > 0.0)) return;
        factor_[i][i] = sqrt(left);
        least_ = i == 0 || left < least_ ? left : least_;
        most_ = left > most_ ? left : most_;
      }
    }
    definite_ = true;
  }

  /// Whether the matrix is positive definite and its smallest pivot above `share` of the largest.
  RANKINE_HD bool is_regular(double share) const { return definite_ && least_ > share * most_; }

  /// x becomes the solution for the right-hand side x.
  RANKINE_HD void solve(double (&x)[N]) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= factor_[i][k] * x[k];
      x[i] /= factor_[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= factor_[k][i] * x[k];
      x[i] /= factor_[i][i];
    }
  }

 private:
  double factor_[N][N];
  double least_ = 0.0, most_ = 0.0;
  bool definite_ = false;
};

}  // namespace rankine::bem
