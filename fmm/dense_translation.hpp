// Translations as dense matrices in closed form. Building them takes no longer than writing them to
// memory. In the complex harmonics O (regular) and M (irregular) of White & Head-Gordon [WHG94]
//
//   M2L   1/|t + z - y| = sum O_jk(z) (-1)^j M_{j+l, k+m}(t) O_lm(y)
//   M2M   O_lm(t + u)   = sum O_{l-j, m-k}(t) O_jk(u)
//
// The following formulas are for the real basis of fmm/harmonics.hpp. Rows are (j, +-a) in M2L, (l,
// +-a) in M2M, columns have +-b; a trailing + stands for q = a + b, - for q = |d|, and
//
//   d       = a - b
//   K(n, m) = sqrt((n - m)! (n + m)!)
//
// M2L, with S of degree j + l:
//
//   U_q + i V_q    = K(j+l, q) / nu_q (S^q + i S^-q)(t)
//   factor         = (-1)^j / (nu_a K(j, a) nu_b K(l, b)) ,   halved for each of a, b that is zero
//   cosine, cosine = factor 2 ( U+ + (-1)^min(a,b) U-)
//   cosine, sine   = factor 2 ( V+ - sign(d) (-1)^min(a,b) V-)
//   sine, cosine   = factor 2 ( V+ + sign(d) (-1)^min(a,b) V-)
//   sine, sine     = factor 2 (-U+ + (-1)^min(a,b) U-)
//
// M2M, with R of degree l - j, B- taken with the sign of d, s = 1 for d >= 0, else (-1)^d:
//
//   A_q + i B_q    = (R^q + i R^-q)(t) / (nu_q K(l-j, q))
//   factor         = 2^-j nu_a K(l, a) / (nu_b K(j, b))
//   cosine, cosine = factor ( s A- + (-1)^b A+) ,   A+ only for b > 0
//   cosine, sine   = factor (-s B- + (-1)^b B+)
//   sine, cosine   = factor ( s B- + (-1)^b B+) ,   B+ only for b > 0
//   sine, sine     = factor ( s A- - (-1)^b A+)
//
// L2L is the transpose of M2M, times one half.
#pragma once

#include <algorithm>
#include <vector>

#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {

/// A translation of make_translations as a matrix, p^2 x p^2, row-major:
/// target coefficients = matrix times source coefficients. The order is not bounded.
std::vector<double> dense_translation(Shift shift, const Vec3d& t, int order);

/// Rows (j, a), (j, -a) and columns (l, b), (l, -b) of a matrix; sines are zero for a = 0 or b = 0.
struct MatrixBlock {
  double cosine_cosine = 0.0, cosine_sine = 0.0, sine_cosine = 0.0, sine_sine = 0.0;
};

/// M2L matrices by blocks, on the host or on a device: pointers to the arrays of M2LTables.
struct M2LBlocks {
  const double* harmonics;  ///< M2LTables::harmonics(t)
  const double* scale;
  const double* choose;
  int choose_stride;

  RANKINE_HD static double parity(int n) { return n % 2 == 0 ? 1.0 : -1.0; }

  /// For degrees j, l and 0 <= a <= j, 0 <= b <= l.
  RANKINE_HD MatrixBlock block(int j, int a, int l, int b) const {
    const double factor = 2.0 * parity(j) * scale[coefficient_index(j, a)] *
                          choose[(j + l) * choose_stride + j] * scale[coefficient_index(l, b)],
                 sign = factor * parity(std::min(a, b));
    const double* const at = harmonics + coefficient_index(j + l, 0);
    const int d = a - b, apart = d < 0 ? -d : d;
    const double u_plus = factor * at[a + b], u_minus = sign * at[apart];
    const double v_plus = a + b > 0 ? factor * at[-(a + b)] : 0.0;
    const double v_minus = d == 0 ? 0.0 : (d > 0 ? sign : -sign) * at[-apart];
    MatrixBlock block;
    block.cosine_cosine = u_plus + u_minus;
    if (b > 0) block.cosine_sine = v_plus - v_minus;
    if (a > 0) block.sine_cosine = v_plus + v_minus;
    if (a > 0 && b > 0) block.sine_sine = u_minus - u_plus;
    return block;
  }
};

/// Data from which M2L matrices up to an order are made.
class M2LTables {
 public:
  explicit M2LTables(int order);

  /// U and V of the shift over (j + l)!, (2 order - 1)^2.
  std::vector<double> harmonics(const Vec3d& t) const;

  const std::vector<double>& scale() const { return scale_; }
  const std::vector<double>& choose() const { return choose_; }  ///< (n over k), row n
  int choose_stride() const { return 2 * order_ - 1; }

 private:
  int order_;
  std::vector<double> weight_, scale_, choose_;
};

}  // namespace rankine::fmm
