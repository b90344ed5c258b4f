// Bodies at rest among vortex particles in a stream U, the boundary elements of a vortex method
// [SG08]. With the velocity v of the particles (bem/particles/vortices.hpp),
//
//   u = U + v + grad phi ,     dphi/dn = -(U + v).n on the panels.
//
// phi follows from the integral equations of any flow. They are prepared once and solved at every
// stage of a time step from the last solution on (bem/boundary_solver.hpp). Fluxes of v are means
// over panels, by the rule of three points on each triangle. v has no divergence for any cores, so
// a net flux is an error of the rule and is subtracted from all panels.
//
// Panels act on particles by the sums and exact near integrals of bem/layers/off_surface.hpp. The
// gradient J of grad phi is symmetric, so that J Gamma stretches a strength in both forms. It is
// the derivative along the strength, computed from the velocities at a fraction of a core on either
// side of the particle. Closer than about 0.8 panel sizes the steps between constant panels matter.
//
// Sums and near integrals of the panels and vectors of the solve stay in the backend's memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/boundary_solver.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

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

/// The record of all solves after the first one, which is that of the stream alone.
struct BodyRecord {
  int solves = 0, iterations = 0, not_converged = 0;
  double seconds = 0.0;
  double net_flux = 0.0, residual = 0.0;  ///< largest values
};

class VortexBody final : public Surroundings {
 public:
  /// Solves for the stream alone. The backend must outlive it. Throws InputError for panels with
  /// symmetry planes and options that do not fit.
  VortexBody(Backend& backend, Panels panels, const VortexBodyOptions& options);
  VortexBody(const VortexBody&) = delete;
  VortexBody& operator=(const VortexBody&) = delete;

  /// Solves with these particles, which are in the backend's memory as for VortexSystem.
  const BodySolve& solve(const Array& positions, const Array& strengths,
                         std::span<const double> core_radii);
  /// The same with particles on the host. No particles: the stream alone.
  const BodySolve& solve(const VortexParticles& particles);
  /// Solves with the particles and adds U + grad phi and the stretching by it.
  void add_to(const Array& positions, const Array& strengths, std::span<const double> core_radii,
              Array& velocity, Array& strength_rate) override;

  const Panels& panels() const { return panels_; }
  fmm::Kernel core() const { return options_.sum.kernel; }
  /// The start of the next solve: the last solution, unless a run that is resumed sets it.
  std::vector<double> start() const { return solver_->start(); }
  void start_from(std::span<const double> unknown) { solver_->start_from(unknown); }

  const BodyRecord& record() const { return record_; }

  // Results of the last solve.
  const BodySolve& last() const { return last_; }
  const std::vector<double>& potential();  ///< phi, m^2/s
  /// v at the collocation points, m/s.
  std::vector<Vec3d> onset() const;
  /// -(U + v).n, its mean over every panel, m/s.
  const std::vector<double>& flux() const { return flux_; }
  /// u at the collocation points, m/s. It is tangential: the slip.
  std::vector<Vec3d> surface_velocity();
  /// grad phi at any points outside, m/s, by the integrals alone, as it is used for particles.
  std::vector<Vec3d> velocity_at(std::span<const Vec3d> points);
  /// phi and grad phi at any points; accurate close to walls, zero inside
  /// (bem/fields/potential_field.hpp). Throws InputError for points that are not finite.
  PotentialField perturbation_at(std::span<const Vec3d> points);

 private:
  void place_targets();
  /// grad phi on the surface for the onset velocity there without the stream.
  SurfaceGradient surface_gradient(std::span<const Vec3d> onset);
  void find_onset(const Array& positions, const Array& strengths,
                  std::span<const double> core_radii);
  const BodySolve& solve_for_onset();
  void take_record();

  Backend& backend_;
  VortexBodyOptions options_;
  Panels panels_;
  PanelNeighbourhood neighbourhood_;
  CollocatedPanels discretization_;
  std::vector<Vec3d> targets_;  ///< collocation points, and the rule's points on every panel
  std::unique_ptr<SparseMatrix> mean_flux_;  ///< panels x 3 targets
  Array onset_;                              ///< 4 pi v at the targets
  std::vector<double> flux_;
  std::unique_ptr<BoundarySolver> solver_;
  BoundarySolution solution_;
  std::unique_ptr<OffSurfaceOperator> at_points_;  ///< null before its first use
  BodySolve last_;
  BodyRecord record_;
};

}  // namespace rankine::bem
