// Analytic reference flows: a sphere and a triaxial ellipsoid at rest in a uniform stream.
//
//   sphere     phi     = R^3 U.(x - c) / (2 |x - c|^3)                            [L32 sec. 92]
//   ellipsoid  phi     = sum_i alpha_i(lambda) U_i (x_i - c_i) / (2 - alpha_i(0)) [L32 sec. 114]
//              alpha_x = abc int_lambda^inf ds / ((a^2 + s) sqrt((a^2 + s)(b^2 + s)(c^2 + s)))
//                      = (2/3) abc R_D(b^2 + lambda, c^2 + lambda, a^2 + lambda) ,
//                        y and z cyclic [C95]
//              lambda    the largest root of sum_i (x_i - c_i)^2 / (a_i^2 + lambda) = 1
//              u       = sum_i (1 + k_i) U_i (e_i - n_i n) on its surface, lambda = 0
//              k_i     = alpha_i(0) / (2 - alpha_i(0))
//              k'_x    = (b^2 - c^2)^2 (alpha_z - alpha_y)
//                        / (5 (2 (b^2 - c^2) + (b^2 + c^2) (alpha_y - alpha_z)))
//                        for rotation, in units of rho V; y and z cyclic     [L32 sec. 115]
//
// Collocation points of flat panels are at a distance O(h^2) inside a convex surface. Surface
// values are those at the projection of the point onto the exact surface: radial for the sphere,
// the closest point for the ellipsoid.
#pragma once

#include <span>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Values of a reference flow at a point of the surface.
struct SurfaceState {
  double phi;      ///< perturbation potential, m^2/s
  Vec3d velocity;  ///< total, m/s
  double cp;
};

/// 1 - |u|^2/|U|^2; 0 without a stream.
double pressure_coefficient(const Vec3d& velocity, const Vec3d& stream);

struct SphereFlow {
  Vec3d stream{1.0, 0.0, 0.0};
  double radius = 1.0;
  Vec3d centre{};

  /// Perturbation potential and total velocity at a point x outside or on the sphere.
  double potential(const Vec3d& x) const;
  Vec3d velocity(const Vec3d& x) const;
  /// At the radial projection of x.
  SurfaceState on_surface(const Vec3d& x) const;
};

class EllipsoidFlow {
 public:
  /// Axes along x, y, z. Throws InputError for semi-axes that are not positive.
  EllipsoidFlow(const Vec3d& semi_axes, const Vec3d& stream, const Vec3d& centre = {});

  /// Added-mass coefficients k_x, k_y, k_z.
  const Vec3d& added_mass() const { return k_; }
  /// Coefficients of rotations about the axes, k'_x, k'_y, k'_z, m^2.
  Vec3d added_inertia() const;
  /// Perturbation potential and total velocity at x outside or on the ellipsoid.
  double potential(const Vec3d& x) const;
  Vec3d velocity(const Vec3d& x) const;
  /// At the point of the ellipsoid closest to x.
  SurfaceState on_surface(const Vec3d& x) const;

 private:
  Vec3d alpha(double lambda) const;
  double confocal(const Vec3d& r) const;

  Vec3d axes_, stream_, centre_, k_;
};

/// Carlson's degenerate elliptic integral R_D(x, y, z), to machine precision [C95].
double carlson_rd(double x, double y, double z);

/// The point of the ellipsoid x^2/a^2 + y^2/b^2 + z^2/c^2 = 1 closest to p, for p near the surface.
Vec3d closest_on_ellipsoid(const Vec3d& semi_axes, const Vec3d& p);

/// Relative errors of a field with respect to a reference: area-weighted L2, and the largest error
/// over the largest reference value.
struct FieldError {
  double l2 = 0.0, max = 0.0;
};
FieldError relative_error(std::span<const double> area, std::span<const double> value,
                          std::span<const double> reference);
FieldError relative_error(std::span<const double> area, std::span<const Vec3d> value,
                          std::span<const Vec3d> reference);

}  // namespace rankine::bem
