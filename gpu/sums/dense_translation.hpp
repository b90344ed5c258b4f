// Translations as dense matrices in closed form, built as fast as they are written. In the complex
// harmonics O (regular) and M (irregular) of White & Head-Gordon 1994 (J. Chem. Phys. 101, 6593),
//   M2L   1/|t + z - y| = sum O_jk(z) (-1)^j M_{j+l, k+m}(t) O_lm(y),
//   M2M   O_lm(t + u)   = sum O_{l-j, m-k}(t) O_jk(u).
// What follows is written in the real basis of fmm/harmonics.hpp, rows (j, +-a) or (l, +-a),
// columns with +-b, d = a - b, K(n, m) = sqrt((n - m)! (n + m)!), + for a + b and - for |a - b|.
//
// M2L: with U_q + i V_q = K(j+l, q) / nu_q (S^q + i S^-q)(t) of degree j + l, the elements are
// (-1)^j / (nu_a K(j, a) nu_b K(l, b)), halved for each of a, b that is zero, times
//   cosine, cosine   2 ( U+ + (-1)^min(a,b) U-)          cosine, sine   2 (V+ - sign(d)
//   (-1)^min(a,b) V-) sine, sine       2 (-U+ + (-1)^min(a,b) U-)          sine, cosine   2 (V+ +
//   sign(d) (-1)^min(a,b) V-)
//
// M2M: with A_q + i B_q = (R^q + i R^-q)(t) / (nu_q K(l-j, q)) of degree l - j, B- with the sign of
// d, and s = 1 for d >= 0, else (-1)^d, the elements are 2^-j nu_a K(l, a) / (nu_b K(j, b)) times
//   cosine, cosine   s A- + (-1)^b A+ (the latter for b > 0)     cosine, sine   -s B- + (-1)^b B+
//   sine, cosine     s B- + (-1)^b B+ (the latter for b > 0)     sine, sine      s A- - (-1)^b A+
#pragma once

#include <vector>

#include "rankine/fmm/translation.hpp"

namespace rankine::gpu {

/// The matrix of fmm::dense_matrix(fmm::make_translation(shift, t, order)): p^2 x p^2, row-major.
std::vector<double> dense_translation(fmm::Shift shift, const Vec3d& t, int order);

}  // namespace rankine::gpu
