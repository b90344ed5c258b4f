// Bodies under their own gravity, with a softening length eps [NHP07, Aarseth 1963],
//
//   d2 x_i / dt2 = G grad phi(x_i) ,     phi(x) = sum_j m_j / (|x - x_j|^2 + eps^2)^(1/2) ,
//
// advanced by the leapfrog in the form kick, drift, kick [HLW06, I.1.4],
//
//   v <- v + h/2 a(x) ,     x <- x + h v ,     v <- v + h/2 a(x) ,
//
// which is second order, symplectic and reversible, with one sum per step. The lengths of the kicks
// include G. The state stays in the backend's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/particles/particle_sum.hpp"

namespace rankine::bem {

/// Bodies on the host.
struct Bodies {
  std::vector<Vec3d> positions, velocities;  ///< m, m/s
  std::vector<double> masses;                ///< kg, or any unit that fits G
};

/// The field at points.
struct GravityField {
  std::vector<double> potential;    ///< -G phi, m^2/s^2
  std::vector<Vec3d> acceleration;  ///< G grad phi, m/s^2
};

struct GravityOptions {
  double gravitational_constant = 1.0;
  fmm::Options sum;  ///< Kernel::plummer with its softening, or Kernel::laplace without
};

class BodySystem {
 public:
  /// `made_at`: for a resumed run, the positions at which the operator is built; empty: the
  /// positions of the bodies. The backend must outlive it. Throws InputError if the numbers of
  /// values differ, or for points or options that cannot be summed.
  BodySystem(Backend& backend, const Bodies& start, const GravityOptions& options,
             const std::vector<Vec3d>& made_at = {});

  /// One time step, s.
  void advance(double step);
  /// Builds the operator again at the current positions.
  void renew();

  /// The current state.
  Bodies bodies() const;
  /// phi of all other bodies at each body, kg/m: one sum.
  std::vector<double> potential();
  /// The current field at any points. Throws InputError for points that are not finite.
  GravityField field_at(std::span<const Vec3d> points) const;
  /// Error of the current gradients at sampled bodies (ParticleSum::sampled_error).
  double sum_error();

  const std::vector<Vec3d>& made_at() const { return sum_.made_at().positions; }
  const fmm::OperatorInfo& info() const { return sum_.info(); }
  /// Why sums are direct although the options request expansions (ParticleSum::refusal).
  const std::string& refusal() const { return sum_.refusal(); }

 private:
  void find_gradient();
  void kick(double step);

  Backend& backend_;
  GravityOptions options_;
  std::size_t values_;  ///< three times the number of bodies
  Array positions_, velocities_, masses_;
  Array gradient_;  ///< of phi at the bodies
  Array potential_;
  ParticleSum sum_;
};

// Plummer's sphere [P11], a cluster in equilibrium under its own gravity: density (3 M / 4 pi a^3)
// (1 + r^2/a^2)^(-5/2), potential energy -3 pi G M^2 / 32 a, velocities isotropic.

/// `n` bodies of equal mass, `mass` together, with scale length `scale`, m. Radii, directions and
/// velocities are drawn from the distribution function as in the appendix of [AHW74], without the
/// outermost thousandth of the mass (radii up to 39 a). The centre of mass is at rest at the
/// origin. A seed gives the same bodies on every machine, up to rounding.
Bodies plummer_sphere(std::size_t n, double mass, double scale, double gravitational_constant,
                      std::uint64_t seed);

/// Bodies on a sphere of radius R, on circular orbits about its centre in random directions. The
/// speed (G M / 2 R)^(1/2) balances the attraction of the shell; twice the kinetic energy is minus
/// the potential energy. Arguments as of plummer_sphere().
Bodies orbiting_shell(std::size_t n, double mass, double radius, double gravitational_constant,
                      std::uint64_t seed);

/// A ball of uniform density that expands. At the distance r from the centre the speed is H r, with
/// H^2 = 2 G M / R^3, the escape speed from the mass within r. The radius grows as R (1 + 3/2 H
/// t)^(2/3). Arguments as of plummer_sphere().
Bodies expanding_ball(std::size_t n, double mass, double radius, double gravitational_constant,
                      std::uint64_t seed);

}  // namespace rankine::bem
