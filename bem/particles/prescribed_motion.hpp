// Prescribed motion of a rigid body: position and velocity of its points at a time,
//
//   x(t) = c + d(t) + R(t) (x_0 - c) ,     dx/dt = V + Omega x (x - c - d) .
//
// R is the rotation by the vector theta(t), whose length a is the angle about its direction, so
//
//   V = d' ,
//   Omega = theta' + (1 - cos a)/a^2 theta x theta' + (a - sin a)/a^3 theta x (theta x theta') .
#pragma once

#include <vector>

#include "rankine/bem/panels/rigid_motion.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

struct MotionSample {
  double time = 0.0;     ///< s
  Vec3d displacement{};  ///< d, m
  Vec3d rotation{};      ///< theta, rad
};

class PrescribedMotion {
 public:
  /// Constant V and Omega, starting at t = 0.
  explicit PrescribedMotion(const RigidMotion& steady = {}) : steady_(steady) {}
  /// Interpolates samples by cubic polynomials, whose slope at a sample is that of the parabola
  /// through it and its neighbours. Positions are third order in the time between samples, V and
  /// Omega second order. The body is at rest before the first and after the last sample. `centre`:
  /// c, m. Throws InputError for fewer than two samples and for times that do not increase.
  PrescribedMotion(std::vector<MotionSample> samples, const Vec3d& centre);

  /// The position, m, at a time, s, of the point that was at `x` before the motion.
  Vec3d place(double time, const Vec3d& x) const;
  /// V, Omega and the centre c + d at a time, s.
  RigidMotion at(double time) const;

 private:
  /// d and theta, and their rates.
  struct State {
    Vec3d displacement, rotation, velocity, rotation_rate;
  };
  State state(double time) const;

  RigidMotion steady_;
  std::vector<MotionSample> samples_;  ///< empty: steady
};

}  // namespace rankine::bem
