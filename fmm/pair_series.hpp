// The series of M2L, M2P or P2L for one pair of points, with separate terms for every degree, so
// that the errors of all orders are known at once. For M2L, in a frame whose z axis is along the
// shift t,
//
//   1/|t + x - y| = 1/|t| sum_nkm R_n^m(x/|t|) c_nkm R_k^m(y/|t|)
//
// with the coaxial factors c of fmm/translation.hpp [GD08 eq. (19)]; order p contains the terms n,
// k < p. As (-1)^n c is symmetric in n and k, sums over one triangle of c serve all derivatives.
// For M2P and P2L 1/|x - y| = sum_nm R_n^m(y) S_n^m(x) [GD08 eq. (14)]. Dual numbers give
// derivatives along directions at the target and at the source.
#pragma once

#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

/// Kinds of sums: the potential, its gradient or its second derivatives (`derivatives` at the
/// target), of charges or dipoles (0 or 1 derivative at the source).
inline constexpr int most_derivatives = 2, strength_kinds = 2;
inline constexpr int pair_kinds = (most_derivatives + 1) * strength_kinds;
constexpr int pair_kind(int derivatives, int strength) {
  return (most_derivatives + 1) * strength + derivatives;
}

/// Harmonics at a point and their derivatives along a direction; all degrees of one m are stored
/// together.
class DirectedHarmonics {
 public:
  DirectedHarmonics(int order, int derivatives);

  void evaluate(Harmonic kind, const Vec3d& x, const Vec3d& u);

  /// Values of degrees m, m + 1, ...; sines of m = 0 are zero.
  const double* cosine(int derivative, int m) const { return cosine_[derivative].data() + at(m); }
  const double* sine(int derivative, int m) const { return sine_[derivative].data() + at(m); }

 private:
  int at(int m) const { return m * order_ - m * (m - 1) / 2; }
  template <int derivatives>
  void evaluate_with(Harmonic kind, const Vec3d& x, const Vec3d& u);

  int order_, derivatives_;
  std::vector<double> cosine_[most_derivatives + 1], sine_[most_derivatives + 1];
};

class PairSeries {
 public:
  /// For orders up to `order`, up to `derivatives` at the target, and the first `strengths` kinds.
  PairSeries(int order, int derivatives, int strengths);

  /// M2L by the shift t, with x and y relative to the centres of their boxes, and derivatives along
  /// u at the target and along w at the source; lengths in units of the box edge.
  void set_m2l(const Vec3d& t, const Vec3d& x, const Vec3d& y, const Vec3d& u, const Vec3d& w);

  /// M2P (target singular) or P2L (source singular), both relative to the expansion's centre.
  void set_single(Harmonic target, const Vec3d& x, const Vec3d& y, const Vec3d& u, const Vec3d& w);

  /// Calls visit(p, error) for every order from 0 to the largest. Errors are in powers of the edge.
  template <class Visit>
  void errors(int derivative, int strength, Visit&& visit) const {
    double rest = exact(derivative, strength);
    const std::vector<double>& terms = terms_[pair_kind(derivative, strength)];
    for (int p = 0;; ++p) {
      visit(p, rest);
      if (p == order_) break;
      rest -= terms[p];
    }
  }

 private:
  void begin(const Vec3d& separation, const Vec3d& u, const Vec3d& w);
  template <int strengths, int derivatives>
  void couple(double scale);
  double exact(int derivative, int strength) const;

  int order_, derivatives_, strengths_;
  const std::vector<double>* coaxial_;  ///< shared by all objects
  DirectedHarmonics target_, source_;
  Vec3d separation_, u_, w_;               ///< target minus source, and the directions
  std::vector<double> terms_[pair_kinds];  ///< indexed by their highest degree
};

}  // namespace rankine::fmm
