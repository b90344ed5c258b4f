// The exact flow past two equal spheres at rest in a uniform stream: Laplace's equation in
// bispherical coordinates [J12].
//
//   z = a sinh xi / (cosh xi - cos eta) ,   rho = a sin eta / (cosh xi - cos eta)
//
// about the middle between the centres, with z along their line. The spheres are xi = +-xi_0, with
// the radius a / sinh xi_0 and centres at +-a coth xi_0. A stream along the line (m = 0) or across
// it (m = 1) has the total potential
//
//   Phi = sqrt(cosh xi - mu) sum_n f_n(xi) P_n^m(mu) cos(m psi) ,    mu = cos eta ,
//   f_n = A_n s((n + 1/2) xi) + g_n exp(-(n + 1/2) xi) ,             xi > 0 ,
//
// with s = sinh and g_n = sqrt(2) (2n + 1) a U for m = 0, and s = cosh and g_n = 2 sqrt(2) a U for
// m = 1. Zero flux through xi = xi_0 gives a tridiagonal system for f_n'(xi_0),
//
//   sinh(xi_0) f_n + 2 cosh(xi_0) f_n'
//     = 2 (n - m)/(2n - 1) f_{n-1}' + 2 (n + m + 1)/(2n + 3) f_{n+1}' ,
//
// which is diagonally dominant. Terms decay like exp(-(2n + 1)(xi_0 - xi/2)): 400 of them give all
// digits if the gap is a hundredth of the radius.
#pragma once

#include <array>
#include <vector>

#include "rankine/bem/flow/exact.hpp"

namespace rankine::bem {

class TwoSpheresFlow {
 public:
  /// Spheres of one radius with centres a distance `half_distance` to either side of `middle` along
  /// `line`. Throws InputError unless radius > 0 and half_distance >= (1 + 1e-6) radius.
  TwoSpheresFlow(double radius, double half_distance, const Vec3d& line, const Vec3d& stream,
                 const Vec3d& middle = {});

  /// Perturbation potential and total velocity at x outside or on the spheres.
  double potential(const Vec3d& x) const;
  Vec3d velocity(const Vec3d& x) const;
  /// At the radial projection of x onto the sphere whose centre is closer.
  SurfaceState on_surface(const Vec3d& x) const;

  /// Added mass over displaced mass of both spheres, in a stream along the line and across it.
  double added_mass_along() const { return added_mass_[0]; }
  double added_mass_across() const { return added_mass_[1]; }

 private:
  /// Dipole moment of the disturbance.
  struct State {
    double phi;
    Vec3d velocity;
  };

  State perturbation(const Vec3d& x) const;
  void solve(int m);

  double radius_, half_distance_, focus_, xi_0_;
  Vec3d across_, third_, along_;  ///< unit; the stream lies in the plane of the first and the last
  Vec3d stream_, middle_;
  /// A_n exp((n + 1/2) xi_0) for streams of unit speed along and across the line.
  std::array<std::vector<double>, 2> coefficient_;
  std::array<double, 2> added_mass_{};
};

}  // namespace rankine::bem
