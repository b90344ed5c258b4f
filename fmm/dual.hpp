// Dual numbers v + d eps, eps^2 = 0, for host and device: f(x + mu eps) = f(x) + (mu . grad f(x))
// eps.
//
// The harmonics at y + mu eps, with the initial value 1 + q eps instead of 1, are
//
//   (R(y) + (mu . grad R(y)) eps) (1 + q eps) = R(y) + (q R(y) + mu . grad R(y)) eps
//
// So one evaluation gives the contribution of a charge q and a dipole mu to an expansion.
#pragma once

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

/// T may be a scalar, a SIMD pack or a dual number.
template <class T>
struct Dual {
  using Scalar = fmm::Scalar<T>;

  T v{}, d{};

  RANKINE_HD friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  RANKINE_HD friend Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  RANKINE_HD friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  RANKINE_HD friend Dual operator+(Dual a, Scalar s) { return {a.v + s, a.d}; }
  RANKINE_HD friend Dual operator*(Dual a, Scalar s) { return {a.v * s, a.d * s}; }
};

template <class T>
RANKINE_HD inline Dual<T> inverse_root(Dual<T> x) {
  const T u = inverse_root(x.v);
  return {u, u * u * u * x.d * Scalar<T>(-0.5)};
}

/// The arithmetic of P2M and P2L: a source contributes added(R_k) to coefficient k, with R
/// evaluated at its coordinates and started with start(charge).
template <class T>
struct ChargeNumbers {
  using Value = T;
  static constexpr bool dipoles = false;
  RANKINE_HD static Value coordinate(T x, T) { return x; }
  RANKINE_HD static Value start(T charge) { return charge; }
  RANKINE_HD static T added(Value harmonic) { return harmonic; }
};

/// The same for sources with a dipole moment.
template <class T>
struct DipoleNumbers {
  using Value = Dual<T>;
  static constexpr bool dipoles = true;
  RANKINE_HD static Value coordinate(T x, T moment) { return {x, moment}; }
  RANKINE_HD static Value start(T charge) { return {one<T>(), charge}; }
  RANKINE_HD static T added(Value harmonic) { return harmonic.d; }
};

}  // namespace rankine::fmm
