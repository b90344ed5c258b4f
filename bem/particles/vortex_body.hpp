// Boundary elements for bodies in the flow of vortex particles and a stream U [SG08]. With the
// velocities v of the particles (bem/particles/vortices.hpp) and w of the walls,
//
//   u = U + v + grad phi ,     dphi/dn = (w - U - v).n on the panels.
//
// phi follows from the integral equations of any flow. They are set up once for each position of
// the bodies relative to one another, and solved at every stage of a time step, starting from the
// previous solution (bem/boundary_solver.hpp). Fluxes of v are means over panels, by the
// three-point rule on each triangle. v is divergence-free for every core function, so a net flux is
// a quadrature error and is subtracted from all panels.
//
// Vortex lines that end on a rotating body continue inside it, where the vorticity is 2 Omega. Once
// the particles contain the vorticity shed for this rotation (`shed_rotation`), v includes the
// velocity of the vorticity inside, a single layer S of the normal [W81]:
//
//   1/(4 pi) int 2 Omega x (x - y)/|x - y|^3 dV = S[2 Omega x n](x) .
//
// The velocity of the panels at particles is computed by the sums and exact near integrals of
// bem/layers/off_surface.hpp. The gradient J of grad phi is symmetric, so the stretching is J Gamma
// in both forms. J Gamma is the derivative of grad phi along Gamma, computed from the velocities at
// a quarter of a core radius on both sides of the particle; their mean is the velocity of the
// particle. Both are second order in the core radius, as is the regularised vorticity. Closer than
// about 0.8 panel sizes the jumps between constant panels matter.
//
// Sums and near integrals of the panels and vectors of the solve stay in the backend's memory.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/boundary_solver.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/rigid_motion.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

/// The panels at one time, and the motions of their bodies.
struct MovingPanels {
  Panels panels;
  std::vector<RigidMotion> motions{};  ///< empty: all are at rest
  std::vector<std::int32_t> motion{};  ///< per panel, index into `motions`
  /// Whether the panels and their images have not moved relative to one another since t = 0. The
  /// integral equations of that time are then still valid.
  bool rigid = false;

  RigidMotion of(std::size_t panel) const {
    return motions.empty() ? RigidMotion{} : motions[static_cast<std::size_t>(motion[panel])];
  }
  /// w at the collocation point of a panel, m/s.
  Vec3d velocity(std::size_t panel) const { return of(panel).at(panels.centroid[panel]); }
};

struct VortexBodyOptions {
  Vec3d stream{};       ///< U, m/s
  RegionOptions solve;  ///< its `fmm` is also used for the panels' velocity at particles
  fmm::Options sum;     ///< of a vortex kernel, for the velocity of particles at panels
};

/// The record of a solve.
struct BodySolve {
  GmresResult gmres;
  double seconds = 0.0;   ///< of the solve alone
  double net_flux = 0.0;  ///< net flux that was subtracted, relative to the flux of either sign
};

/// Statistics of all solves after the first one, which has no particles.
struct BodyRecord {
  int solves = 0, iterations = 0, not_converged = 0;
  double seconds = 0.0;
  double net_flux = 0.0, residual = 0.0;  ///< largest values
};

class VortexBody final : public Surroundings {
 public:
  /// Solves without particles. The backend must outlive it. Particles have images in the symmetry
  /// planes of the panels. Throws InputError for planes with the sign -1 and for invalid options.
  VortexBody(Backend& backend, Panels panels, const VortexBodyOptions& options);
  /// The same for moving bodies, at t = 0. `panels_at`: the panels at a time, s; their number and
  /// order do not change.
  VortexBody(Backend& backend, std::function<MovingPanels(double)> panels_at,
             const VortexBodyOptions& options);
  VortexBody(const VortexBody&) = delete;
  VortexBody& operator=(const VortexBody&) = delete;

  /// If the bodies move, results of the last solve are lost.
  void move_to(double time) override;
  /// `made_at` includes the images. With moving bodies it is not used: their sums are built at
  /// every stage.
  void renew(const SumPoints& made_at) override;
  double time() const { return time_; }  ///< s
  /// From now on v includes the vorticity inside bodies with their current rotation. The total
  /// vorticity of particles and bodies is then the same as before.
  void shed_rotation();
  /// int 2 Omega dV over all bodies with their current rotation, m^3/s.
  Vec3d solid_vorticity() const;
  /// int (w - x x Omega) dV over all bodies, m^4/s, with x from a point on the symmetry planes.
  /// With the impulse I of the particles, the force on the bodies is the time derivative of this
  /// minus dI/dt, for a density of 1 [W81].
  Vec3d solid_impulse() const;

  /// Solves with these particles, which are in the backend's memory.
  const BodySolve& solve(const VortexArrays& particles);
  /// The same with particles on the host; there may be none.
  const BodySolve& solve(const VortexParticles& particles);
  /// Solves with the particles and adds U + grad phi and the stretching by it.
  void add_to(const VortexArrays& particles, Array& velocity, Array& strength_rate) override;
  /// Calls `work` once, with the particles of the next call of add_to() and after its solve.
  void after_next_stage(std::function<void(const VortexParticles&)> work) {
    after_stage_ = std::move(work);
  }

  const Panels& panels() const { return wall_->moving->panels; }
  fmm::Kernel core() const { return options_.sum.kernel; }
  /// The start of the next solve: the last solution, unless a resumed run sets it.
  std::vector<double> start() const { return equations_->solver.start(); }
  void start_from(std::span<const double> unknown) { equations_->solver.start_from(unknown); }

  const BodyRecord& record() const { return record_; }
  void start_from(const BodyRecord& record) { record_ = record; }  ///< for a resumed run

  // Results of the last solve.
  const BodySolve& last() const { return last_; }
  const std::vector<double>& potential();  ///< phi, m^2/s
  /// v at the collocation points, m/s.
  std::vector<Vec3d> onset() const;
  /// (w - U - v).n, its mean over every panel, m/s.
  const std::vector<double>& flux() const { return flux_; }
  /// u - w at the collocation points, m/s. It is tangential: the slip.
  std::vector<Vec3d> surface_velocity();
  /// phi, and grad phi plus the velocity of the vorticity inside bodies, m/s, at any points;
  /// accurate close to walls, zero inside (bem/fields/potential_field.hpp). Throws InputError for
  /// points that are not finite.
  PotentialField perturbation_at(std::span<const Vec3d> points);

 private:
  /// The data for one position of the bodies.
  struct Wall {
    Wall(Backend& backend, std::shared_ptr<const MovingPanels> panels);

    std::shared_ptr<const MovingPanels> moving;
    PanelNeighbourhood neighbourhood;
    std::vector<Vec3d> targets;  ///< collocation points, and the rule's points on every panel
    std::unique_ptr<SparseMatrix> mean_flux;           ///< panels x 3 targets
    std::vector<double> swept;                         ///< w.n, its mean over every panel, m/s
    Array targets_there;                               ///< the same in the backend's memory
    std::unique_ptr<OffSurfaceOperator> at_particles;  ///< null before its first use
    std::vector<Vec3d> turning;  ///< velocity of the vorticity inside at the targets; empty: none
  };

  /// The integral equations for one position of the bodies.
  struct Equations {
    Equations(Backend& backend, std::shared_ptr<const MovingPanels> panels,
              const VortexBodyOptions& options);

    std::shared_ptr<const MovingPanels> made_for;
    CollocatedPanels discretization;
    BoundarySolver solver;
    std::vector<Vec3d> targets;  ///< of the wall of that time
    std::vector<Vec3d> layer;    ///< S[n] at these; empty: not yet computed
  };

  void place(MovingPanels moving);
  QuadratureOptions near_quadrature() const;
  std::vector<Solid> moving_solids() const;
  void find_turning();
  /// The same for a rigid body, from S[n] at its first position.
  std::vector<Vec3d> turned_layer();
  /// Velocity of the vorticity inside bodies, m/s, at the points of an operator; empty: none.
  std::vector<Vec3d> turning_velocity(OffSurfaceOperator& at) const;
  /// grad phi on the surface for the onset velocity there without the stream.
  SurfaceGradient surface_gradient(std::span<const Vec3d> onset);
  void find_onset(const VortexArrays& particles);
  OffSurfaceOperator& sums_at(const Array& points);
  const BodySolve& solve_for_onset();
  void take_record();

  Backend& backend_;
  VortexBodyOptions options_;
  std::function<MovingPanels(double)> panels_at_;  ///< empty: at rest
  double time_ = 0.0;
  std::unique_ptr<Equations> equations_;
  std::unique_ptr<Wall> wall_;
  std::vector<Vec3d> shed_rotation_;          ///< per motion; empty: none
  std::unique_ptr<fmm::Operator> onset_sum_;  ///< from particles to the targets; null: must be
                                              ///< built
  std::function<void(const VortexParticles&)> after_stage_;  ///< empty: nothing to call
  Array stream_;                                             ///< U for every particle
  Array onset_;                                              ///< 4 pi v at the targets
  std::vector<double> flux_;
  BoundarySolution solution_;
  BodySolve last_;
  BodyRecord record_;
};

}  // namespace rankine::bem
