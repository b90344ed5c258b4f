// Translations as dense matrices in closed form, built as fast as they are written. In the complex
// harmonics O (regular) and M (irregular) of White & Head-Gordon [WHG94]
//
//   M2L   1/|t + z - y| = sum O_jk(z) (-1)^j M_{j+l, k+m}(t) O_lm(y)
//   M2M   O_lm(t + u)   = sum O_{l-j, m-k}(t) O_jk(u)
//
// What follows is written in the real basis of fmm/harmonics.hpp. Rows are (j, +-a) in M2L,
// (l, +-a) in M2M, columns have +-b; a trailing + stands for q = a + b, - for q = |d|, and
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

#include <vector>

#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {

/// The translation of make_translation(shift, t, order) as a matrix, p^2 x p^2, row-major:
/// target coefficients = matrix times source coefficients. The order is not bounded.
std::vector<double> dense_translation(Shift shift, const Vec3d& t, int order);

}  // namespace rankine::fmm
