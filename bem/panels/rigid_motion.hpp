// Bodies that move as a whole: the velocity V + Omega x (x - c) and its normal part on panels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

struct RigidMotion {
  Vec3d velocity{};          ///< V of the centre, m/s
  Vec3d angular_velocity{};  ///< Omega, rad/s
  Vec3d centre{};            ///< c, m

  /// Velocity of the point of the body at x.
  Vec3d at(const Vec3d& x) const { return velocity + cross(angular_velocity, x - centre); }
};

/// The rotation between two positions of a rigid body, from at least three of its points, not all
/// on a line.
class RigidTurn {
 public:
  RigidTurn(std::span<const Vec3d> before, std::span<const Vec3d> after);
  /// The vector that has moved with the body.
  Vec3d operator()(const Vec3d& v) const {
    return dot(from_[0], v) * to_[0] + dot(from_[1], v) * to_[1] + dot(from_[2], v) * to_[2];
  }

 private:
  Vec3d from_[3], to_[3];
};

/// int x cross n dA of every panel, m^3, exact on quadratic patches: the counterpart of
/// `Panels::vector_area` for rotations about the origin.
std::vector<Vec3d> moments_of_area(const Panels& panels);

/// int (V + Omega x (x - c)).n dA of a panel with the vector area `area` and its moment, m^3/s.
inline double swept_volume(const RigidMotion& motion, const Vec3d& area, const Vec3d& moment) {
  return dot(motion.velocity, area) +
         dot(motion.angular_velocity, moment - cross(motion.centre, area));
}

/// The volume of a body, m^3, and the integral of x over it, m^4.
struct Solid {
  double volume = 0.0;
  Vec3d moment{};
};

/// The solids enclosed by the panels of each body up to the symmetry planes, exact on quadratic
/// patches. `body`: per panel, below `bodies`.
std::vector<Solid> solids(const Panels& panels, std::span<const std::int32_t> body,
                          std::size_t bodies);

/// The velocity V, m/s, with V.n = `normal_velocity` on all panels within one per cent in L2; none
/// if there is no such V or all velocities are zero.
std::optional<Vec3d> common_motion(const Panels& panels, std::span<const double> normal_velocity);

}  // namespace rankine::bem
