// Vortex particles in an inviscid fluid [WL93]. Each has a vector strength Gamma_p = vorticity
// times volume, distributed over a core of radius sigma_p, and
//
//   dx_p / dt = u(x_p) + U ,     dGamma_p / dt = (Gamma_p . grad) u     classic,
//                                              = (grad u) . Gamma_p     transpose ,
//   u(x) = 1/(4 pi) sum_j q(|r| / sigma_j) Gamma_j x r / |r|^3 ,     r = x - x_j ,
//
// where component i of the first is Gamma_j du_i/dx_j and of the second Gamma_j du_j/dx_i [WL93].
// Both are equal if the vorticity has no divergence. The transpose form conserves the total
// vorticity sum_p Gamma_p exactly, pair by pair, if all cores are equal.
//
// Time steps are Runge-Kutta with two registers [W80], q <- A_k q + h f(y), y <- y + B_k q: the
// midpoint rule (second order) or case 7 of [W80] (third order). The state stays in the backend's
// memory. 1/(4 pi) is part of the length of the step, and the uniform stream U, which moves all
// particles equally, is added at its end.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rankine/bem/particles/particle_sum.hpp"

namespace rankine::bem {

/// Particles on the host.
struct VortexParticles {
  std::vector<Vec3d> positions;    ///< m
  std::vector<Vec3d> strengths;    ///< Gamma, m^3/s
  std::vector<double> core_radii;  ///< sigma, m
};

/// The same in the memory of a backend.
struct VortexArrays {
  Array positions, strengths;  ///< N x 3
  Array core_radii;            ///< N

  std::size_t size() const { return core_radii.size(); }
};
VortexArrays uploaded(Backend& backend, const VortexParticles& particles);
VortexParticles downloaded(Backend& backend, const VortexArrays& particles);

/// The field at points.
struct VortexField {
  std::vector<Vec3d> velocity;   ///< m/s
  std::vector<Vec3d> vorticity;  ///< its curl, 1/s
};

enum class Stretching { none, classic, transpose };
enum class RungeKutta { midpoint, williamson };

/// Something else that moves particles: a body among them (bem/particles/vortex_body.hpp).
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Places bodies that move where they are at this time, s.
  virtual void move_to(double) {}
  /// Makes its sums for particles at these points, with which it then follows the particles.
  virtual void renew(const SumPoints&) {}
  /// Adds 4 pi times its velocity to `velocity` and, unless that is empty, 4 pi times its
  /// stretching to `strength_rate`. Both are N x 3 and in the backend's memory.
  virtual void add_to(const VortexArrays& particles, Array& velocity, Array& strength_rate) = 0;
};

struct VortexOptions {
  RungeKutta scheme = RungeKutta::williamson;
  Stretching stretching = Stretching::transpose;
  /// c of dGamma/dt = ... + c (|Gamma| omega - |omega| Gamma), with the curl omega of the velocity:
  /// strengths turn towards the vorticity, as they would if their field had no divergence [P92].
  double relaxation = 0.0;
  Vec3d stream{};                        ///< U, m/s
  fmm::Options sum;                      ///< of a vortex kernel
  Surroundings* surroundings = nullptr;  ///< it must outlive the system; null: none
};

/// The vorticity of a particle of unit strength at the distance rho sigma, times sigma^3 [WL93].
double core_vorticity(fmm::Kernel kernel, double rho);

/// Half the vorticity times the step up to which Runge-Kutta methods of third order are stable,
/// rad.
inline constexpr double most_rotation = 1.732;

/// VortexOptions::relaxation beside walls that shed into a viscous fluid. Fitted to: the discoid at
/// a Reynolds number of 1000, 5 780 panels, to 3.7 s. Without it strengths grow without bound from
/// 2 s on in the transposed form, and in the classic one the force across the plane of symmetry is
/// four times larger at the end.
inline constexpr double default_relaxation = 1.0;

class VortexSystem {
 public:
  /// `made_at`: where the operator is built, for a run that is resumed; otherwise empty, and it is
  /// built for the particles. The backend must outlive it. Throws InputError if numbers of values
  /// differ or points and options cannot be summed.
  VortexSystem(Backend& backend, const VortexParticles& start, const VortexOptions& options,
               const SumPoints& made_at = {});

  /// One time step, s, from `time` on, s. Surroundings that move are placed at every stage, and
  /// stay where they are at the last one.
  void advance(double step, double time = 0.0);
  /// Builds the operator again at the present positions.
  void renew();
  /// Bounds the growth of strengths in a step where cores are too thin for the strain: a particle
  /// whose core alone turns the fluid by more than most_rotation keeps the size of its strength
  /// `before`. The direction stays. Returns the number of these particles; none if the flow is
  /// resolved.
  std::size_t limit_growth(const Array& before, double step);
  /// Calls work(arrays), which may replace the particles by others, in any number. If it has
  /// changed by a quarter since the operator was built, that is built again.
  void change(const std::function<void(VortexArrays&)>& work);

  /// The present state.
  const VortexArrays& arrays() const { return state_; }
  VortexParticles particles() const { return downloaded(backend_, state_); }
  /// u + U at the present positions, m/s: one sum.
  std::vector<Vec3d> velocities();
  /// u + U and its curl at any points, from the particles at their present positions, without
  /// surroundings. Throws InputError for points that are not finite.
  VortexField field_at(std::span<const Vec3d> points) const;
  /// Error of the present velocities and stretching, without surroundings, at sampled particles
  /// (ParticleSum::sampled_error): one sum.
  double sum_error();

  const SumPoints& made_at() const { return sum_.made_at(); }
  const fmm::OperatorInfo& info() const { return sum_.info(); }
  /// Why sums are direct although options ask for expansions (ParticleSum::refusal).
  const std::string& refusal() const { return sum_.refusal(); }

 private:
  void allocate();
  void renew_surroundings();
  void sum_here();
  void add_surroundings();
  /// y <- y + b (a q + h f(y)), for positions and strengths.
  void take_stage(double a, double b, double step);

  Backend& backend_;
  VortexOptions options_;
  VortexArrays state_;
  Array position_change_, strength_change_;  ///< q
  Array velocity_, velocity_gradient_;       ///< times 4 pi, at the beginning of the last stage
  Array strength_rate_;                      ///< times 4 pi, from the surroundings; empty without
  Array stream_;                             ///< U for every particle; empty without one
  ParticleSum sum_;
};

}  // namespace rankine::bem
