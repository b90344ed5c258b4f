// Vortex particles in an inviscid fluid [WL93]: each carries a vector strength
// Gamma_p = vorticity times volume, spread over a core of radius sigma_p, and
//
//   dx_p / dt = u(x_p) + U ,     dGamma_p / dt = (Gamma_p . grad) u     classic,
//                                              = (grad u) . Gamma_p     transpose ,
//   u(x) = 1/(4 pi) sum_j q(|r| / sigma_j) Gamma_j x r / |r|^3 ,     r = x - x_j ,
//
// where component i of the first is Gamma_j du_i/dx_j and of the second Gamma_j du_j/dx_i [WL93]. They
// are the same where the vorticity is free of divergence; the transpose form keeps the
// total vorticity sum_p Gamma_p exactly, pair by pair, where cores are alike.
//
// Time steps are Runge-Kutta in two registers [W80],  q <- A_k q + h f(y), y <- y + B_k q:
// the midpoint rule, second order, or case 7 of [W80], third order. All of the state stays in the
// backend's memory; 1/(4 pi) is applied in the length of the step, and the uniform stream U, which
// moves all particles alike, once at its end.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/particles/particle_sum.hpp"

namespace rankine::bem {

/// On the host.
struct VortexParticles {
  std::vector<Vec3d> positions;    ///< m
  std::vector<Vec3d> strengths;    ///< Gamma, m^3/s
  std::vector<double> core_radii;  ///< sigma, m
};

/// At points.
struct VortexField {
  std::vector<Vec3d> velocity;   ///< m/s
  std::vector<Vec3d> vorticity;  ///< its curl, 1/s
};

enum class Stretching { none, classic, transpose };
enum class RungeKutta { midpoint, williamson };

/// What else moves particles: a body between them (bem/particles/vortex_body.hpp).
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Adds 4 pi times what is done to `velocity` and, unless it is empty, to `strength_rate`, N x 3 each and in the
  /// backend's memory, as positions and strengths are.
  virtual void add_to(const Array& positions, const Array& strengths,
                      std::span<const double> core_radii, Array& velocity,
                      Array& strength_rate) = 0;
};

struct VortexOptions {
  RungeKutta scheme = RungeKutta::williamson;
  Stretching stretching = Stretching::transpose;
  Vec3d stream{};                        ///< U, m/s
  fmm::Options sum;                      ///< of a vortex kernel
  Surroundings* surroundings = nullptr;  ///< must outlive the system; null: none
};

class VortexSystem {
 public:
  /// `made_at`: where the operator is made, of a run that is resumed; else none, where the particles
  /// are. The backend must outlive it. Throws InputError where numbers of values differ or the operator
  /// cannot be made.
  VortexSystem(Backend& backend, const VortexParticles& start, const VortexOptions& options,
               const std::vector<Vec3d>& made_at = {});

  /// One time step, s.
  void advance(double step);
  /// Makes the operator anew where the particles are.
  void renew();

  /// As they are now.
  VortexParticles particles() const;
  /// u + U where the particles are now, m/s: one sum.
  std::vector<Vec3d> velocities();
  /// u + U and its curl at any points, of the particles where they are now, without surroundings. Throws InputError
  /// for points that are not finite.
  VortexField field_at(std::span<const Vec3d> points) const;
  /// Of what moves and stretches the particles where they are now, without surroundings, at some of them
  /// (ParticleSum::sampled_error): one sum.
  double sum_error();

  const std::vector<Vec3d>& made_at() const { return sum_.made_at(); }
  const fmm::OperatorInfo& info() const { return sum_.info(); }

 private:
  void sum_here();
  void add_surroundings();
  /// y <- y + b (a q + h f(y)), for positions and strengths.
  void take_stage(double a, double b, double step);

  Backend& backend_;
  VortexOptions options_;
  std::size_t count_;
  Array positions_, strengths_;
  Array position_change_, strength_change_;  ///< q
  Array velocity_, velocity_gradient_;       ///< times 4 pi, where the last stage began
  Array strength_rate_;                      ///< times 4 pi, of the surroundings; empty without
  Array stream_;                             ///< U for every particle; empty without one
  std::vector<double> core_radii_;
  ParticleSum sum_;
};

}  // namespace rankine::bem
