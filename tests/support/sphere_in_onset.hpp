// The exact flow past a sphere of radius a at rest in any irrotational onset flow with
// singularities outside it: Weiss's sphere theorem [W44]. With the velocity v of the onset flow,
// omega = (x - c)/r, v_r = v.omega, v_t = v - v_r omega, and the distance b = a^2/r of the inverse
// point,
//
//   phi = (1/a) int_0^b s v_r(c + s omega) ds
//   u   = v - (a/r)^3 v_r(c + b omega) omega
//         + (a/r)^3 v_t(c + b omega) - 1/(a r) int_0^b s v_t(c + s omega) ds ,
//
// which is the theorem's (a/r) phi_0(b) - (1/a) int_0^b phi_0 ds, integrated by parts. So it needs
// no potential phi_0 of the onset flow, which is not single-valued for vortex loops. A stream U
// gives phi = a^3 U.r/(2 r^3).
#pragma once

#include <functional>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

class SphereInOnset {
 public:
  /// `velocity`: the onset flow, m/s, at any point of the ball. Integrals have `points` Gauss
  /// points, which give all digits if singularities are at least a tenth of the radius away. Throws
  /// InputError for a radius that is not positive and for fewer than two points.
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
  std::vector<double> place_, weight_;  ///< of the Gauss rule on (0, 1)
};

}  // namespace rankine::bem
