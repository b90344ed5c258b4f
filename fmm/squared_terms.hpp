// The size of sums: mean squares at a target for strengths of random sign and unit mean square.
#pragma once

#include <array>
#include <cmath>

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {

/// Sums over unit strengths of the squared norms of the derivatives of u of order 0 to 3, where
/// u^-2 = r^2 + softening^2.
struct SquaredTerms {
  double softening2 = 0.0;
  int highest = 3;  ///< highest requested derivative
  double sum[4] = {};

  /// For a vortex: the squared norms of the velocity and of its gradient.
  template <class Core>
  void add(const Vortex<Core>& term, double r2, double inverse_core, double times) {
    const auto at = term.pair(std::sqrt(r2), 0.0, 0.0, 1.0 / std::sqrt(r2), inverse_core);
    const double b = at.f2 * r2;
    sum[1] += times * (at.f1 * at.f1 * r2);
    sum[2] += times * (at.f1 * (3.0 * at.f1 + 2.0 * b) + b * b);
  }
  void add(const Laplace&, double r2, double, double times) {
    const double u2 = 1.0 / (r2 + softening2);
    sum[0] += times * u2;
    if (highest == 0) return;
    const double u4 = u2 * u2, w = r2 * u2;
    sum[1] += times * (u4 * w);
    sum[2] += times * (u4 * u2 * (3.0 + w * (9.0 * w - 6.0)));
    sum[3] += times * (u4 * u4 * w * (135.0 + w * (225.0 * w - 270.0)));
  }
  /// Indexed by pair_kind; for dipoles the mean over directions.
  std::array<double, pair_kinds> by_kind() const {
    return {sum[0], sum[1], sum[2], sum[1] / 3.0, sum[2] / 3.0, sum[3] / 3.0};
  }
};

}  // namespace rankine::fmm
