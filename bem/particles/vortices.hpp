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
// memory. The length of the step includes 1/(4 pi). The uniform stream U, which moves all particles
// equally, is added at the end of the step.
//
// Symmetry planes are walls without friction. Sums include the images of all particles. Vorticity
// is a pseudovector: the image has the strength det(R_g) R_g Gamma.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rankine/bem/particles/particle_sum.hpp"
#include "rankine/meshes/symmetry.hpp"

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

/// The particles, then their images R_g x, for g = 1, 2, ...
VortexParticles with_images(const meshes::Symmetry& symmetry, const VortexParticles& particles);
VortexArrays with_images(Backend& backend, const meshes::Symmetry& symmetry,
                         const VortexArrays& particles);
/// The part of a pseudovector that is not changed by reflections: the mean over images.
Vec3d symmetric_vorticity(const meshes::Symmetry& symmetry, const Vec3d& vorticity);

/// The field at points.
struct VortexField {
  std::vector<Vec3d> velocity;   ///< m/s
  std::vector<Vec3d> vorticity;  ///< its curl, 1/s
};

enum class Stretching { none, classic, transpose };
enum class RungeKutta { midpoint, williamson };

/// Further contributions to the motion of particles, such as a body
/// (bem/particles/vortex_body.hpp).
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Moves bodies to their positions at this time, s.
  virtual void move_to(double) {}
  /// Builds its sums for particles at these points; they are then moved with the particles.
  virtual void renew(const SumPoints&) {}
  /// Adds 4 pi times its velocity to `velocity`, and 4 pi times its stretching to `strength_rate`
  /// unless that is empty. Both are N x 3 in the backend's memory.
  virtual void add_to(const VortexArrays& particles, Array& velocity, Array& strength_rate) = 0;
};

struct VortexOptions {
  RungeKutta scheme = RungeKutta::williamson;
  Stretching stretching = Stretching::transpose;
  /// c of dGamma/dt = ... + c (|Gamma| omega - |omega| Gamma), with the curl omega of the velocity:
  /// strengths rotate towards the vorticity, to which they are parallel if their field has no
  /// divergence [P92]. The total vorticity and the linear impulse do not change
  /// (bem/particles/conserved_moments.hpp).
  double relaxation = 0.0;
  /// Whether the total vorticity and the linear impulse are kept while particles move and stretch
  /// one another, as in the equations of the fluid (bem/particles/conserved_moments.hpp). Without
  /// this their drift is an error of the resolution.
  bool keeps_impulse = false;
  Vec3d stream{};                        ///< U, m/s
  fmm::Options sum;                      ///< of a vortex kernel
  Surroundings* surroundings = nullptr;  ///< it must outlive the system; null: none
  meshes::Symmetry symmetry{};           ///< with signs of 1
};

/// The vorticity of a particle of unit strength at the distance rho sigma, times sigma^3 [WL93].
double core_vorticity(fmm::Kernel kernel, double rho);

/// Largest rotation, half the vorticity times the step, for which third-order Runge-Kutta methods
/// are stable, rad.
inline constexpr double most_rotation = 1.732;

/// VortexOptions::relaxation with walls that shed into a viscous fluid: strengths turn as fast as
/// the fluid. Forces on an ellipsoid with 0 and 1 are equal (docs/particles-bodies.md). On a
/// discoid at a Reynolds number of 1000, without relaxation, strengths of the transposed form grow
/// without bound after 2 s, and in the classic form the normal force is four times larger at 3.7 s.
inline constexpr double default_relaxation = 1.0;

class VortexSystem {
 public:
  /// `made_at`: for a resumed run, the points at which the operator is built; empty: the particles.
  /// The backend must outlive it. Throws InputError if the numbers of values differ, or for points
  /// or options that cannot be summed.
  VortexSystem(Backend& backend, const VortexParticles& start, const VortexOptions& options,
               const SumPoints& made_at = {});

  /// One time step, s, from `time` on, s. Moving surroundings are placed at every stage, and remain
  /// at the position of the last stage.
  void advance(double step, double time = 0.0);
  /// Builds the operator again at the current positions.
  void renew();
  /// Limits the growth of strengths in a step if cores are too thin for the strain: if the core of
  /// a particle alone rotates the fluid by more than most_rotation, the size of its strength is not
  /// larger than `before`; its direction is not changed. Returns the number of these particles, 0
  /// if the flow is resolved.
  std::size_t limit_growth(const Array& before, double step);
  /// Calls work(arrays), which may replace the particles by others, in any number. If their number
  /// has changed by a quarter since the operator was built, the operator is built again.
  void change(const std::function<void(VortexArrays&)>& work);

  /// The current state.
  const VortexArrays& arrays() const { return state_; }
  VortexParticles particles() const { return downloaded(backend_, state_); }
  /// u + U at the current positions, m/s: one sum.
  std::vector<Vec3d> velocities();
  /// u + U and its curl at any points, from the particles at their current positions, without
  /// surroundings. Throws InputError for points that are not finite.
  VortexField field_at(std::span<const Vec3d> points) const;
  /// Error of the current velocities and stretching, without surroundings, at sampled particles
  /// (ParticleSum::sampled_error): one sum.
  double sum_error();

  const SumPoints& made_at() const { return sum_.made_at(); }
  const fmm::OperatorInfo& info() const { return sum_.info(); }
  /// Why sums are direct although the options request expansions (ParticleSum::refusal).
  const std::string& refusal() const { return sum_.refusal(); }

 private:
  void allocate();
  void renew_surroundings();
  /// The particles and their images.
  const VortexArrays& sources();
  void sum_here();
  void add_surroundings();
  /// Changes of strengths by the particles' own velocity gradients.
  Array own_stretching(double length);
  /// Adds the rotation of strengths towards the vorticity to their changes.
  void add_alignment(double alpha);
  /// y <- y + b (a q + h f(y)), for positions and strengths.
  void take_stage(double a, double b, double step);

  Backend& backend_;
  VortexOptions options_;
  VortexArrays state_;
  VortexArrays images_;                      ///< the last result of sources(), if there are planes
  Array position_change_, strength_change_;  ///< q
  Array velocity_, velocity_gradient_;       ///< times 4 pi, at the beginning of the last stage
  Array strength_rate_;                      ///< times 4 pi, from the surroundings; empty if there
                                             ///< are none
  Array stream_;                             ///< U for every particle; empty without a stream
  ParticleSum sum_;
};

}  // namespace rankine::bem
