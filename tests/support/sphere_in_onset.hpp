// A sphere of radius a at rest in any irrotational onset flow whose singularities are outside it, exactly:
// Weiss's sphere theorem [W44]. With v the onset's velocity, omega = (x - c)/r, v_r = v.omega, v_t the rest of v,
// and b = a^2/r the inverse point's distance,
//
//   phi = (1/a) int_0^b s v_r(c + s omega) ds
//   u   = v - (a/r)^3 v_r(c + b omega) omega
//         + (a/r)^3 v_t(c + b omega) - 1/(a r) int_0^b s v_t(c + s omega) ds ,
//
// which is the theorem's (a/r) phi_0(b) - (1/a) int_0^b phi_0 ds by parts, so that it needs no potential
// phi_0 of the onset: closed loops of vortices have none of one value. A stream U gives phi = a^3 U.r/(2 r^3).
#pragma once

#include <functional>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

class SphereInOnset {
 public:
  /// `velocity`: of the onset, m/s, at any point of the ball. Integrals take `points` Gauss points,
  /// which give all digits where singularities are a tenth of the radius away or more. Throws InputError
  /// for a radius that is not positive and for less than two points.
  SphereInOnset(std::function<Vec3d(const Vec3d&)> velocity, double radius = 1.0,
                const Vec3d& centre = {}, int points = 64);

  /// Perturbation potential and total velocity at x outside or on the sphere.
  double potential(const Vec3d& x) const;
  Vec3d velocity(const Vec3d& x) const;

 private:
  /// int_0^b s v(c + s omega) ds.
  Vec3d moment(const Vec3d& omega, double b) const;

  std::function<Vec3d(const Vec3d&)> onset_;
  double radius_;
  Vec3d centre_;
  std::vector<double> place_, weight_;  ///< of Gauss's rule on (0, 1)
};

}  // namespace rankine::bem
