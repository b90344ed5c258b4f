// The stream relative to a body: uniform, or in the frame of a rotor that rotates about an axis
// along the stream,
//
//   v(x) = U - Omega x (x - c) .
//
// Its streamlines, along which wakes lie, are straight lines or helices.
#pragma once

#include <cmath>

#include "rankine/bem/panels/rigid_motion.hpp"

namespace rankine::bem {

struct RelativeStream {
  Vec3d velocity{};     ///< U
  RigidMotion frame{};  ///< Omega, along U, and c; no velocity

  RelativeStream() = default;
  explicit RelativeStream(const Vec3d& u, const RigidMotion& turning = {})
      : velocity(u), frame(turning) {}

  bool turns() const { return !(frame.angular_velocity == Vec3d{}); }
  Vec3d at(const Vec3d& x) const { return velocity - frame.at(x); }
  Vec3d direction_at(const Vec3d& x) const { return at(x) / norm(at(x)); }

  /// The position after `time` of a point that starts at x and moves with the stream.
  Vec3d carried(const Vec3d& x, double time) const {
    const double rate = norm(frame.angular_velocity);
    if (rate == 0.0) return x + time * velocity;
    const Vec3d axis = frame.angular_velocity / rate, arm = x - frame.centre,
                along = dot(arm, axis) * axis, out = arm - along;
    return frame.centre + along + time * velocity + std::cos(rate * time) * out -
           std::sin(rate * time) * cross(axis, out);
  }
};

}  // namespace rankine::bem
