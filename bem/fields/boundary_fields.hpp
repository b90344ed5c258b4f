// A harmonic function phi in a region bounded by panels, from its flux dphi/dn or its value on
// every panel. Flow, electrostatics and unsteady pressure are clients: they supply the known values
// and interpret the results.
//
//   phi = S c + D m + constant    off the surface; n points into the region
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/layers/edge_slopes.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/layers/source_set.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/aligned.hpp"

namespace rankine::bem {

/// `doublet` is only for walls without thickness (bem/flow/thin_walls.hpp).
enum class Formulation { green, source, doublet };

/// The side of the surface on which the region lies; normals point into it.
enum class Domain { exterior, interior };

struct Region {
  const Panels& panels;
  Domain domain = Domain::exterior;
  std::span<const std::uint8_t> thin{};  ///< of panels with the region on both sides; or empty
  const SourceSet* sources = nullptr;    ///< the panels and the sheets (wakes) in the region; null:
                                         ///< no sheets

  bool is_thin(std::size_t panel) const { return !thin.empty() && thin[panel] != 0; }
};

/// Values at the collocation points, and the densities that give phi off the surface. After a solve
/// that was requested to stop, vectors that it did not compute are empty. With a potential in
/// m^2/s, flux and gradient are in m/s; in V, in V/m.
struct BoundaryFields {
  std::vector<double> phi;
  std::vector<double> flux;              ///< dphi/dn, given or found
  std::vector<double> charge;            ///< c
  std::vector<double> doublet;           ///< m; empty: none. If there are sheets, of all source
                                         ///< panels
  std::vector<double> sheets;            ///< m of the sheet unknowns
  std::vector<EdgeSlope> edge_slopes;    ///< of phi near sharp edges; empty: none
  double constant = 0.0;                 ///< if undetermined, chosen so that the mean of phi is
                                         ///< zero
  AlignedVector<Vec3d> gradient;         ///< of phi; not computed by solve()
  AlignedVector<Vec3d> gradient_behind;  ///< on the back of thin panels; empty: no panel is thin
  std::vector<Vec3d> vorticity;          ///< of thin walls (bem/flow/thin_walls.hpp); empty: none
};

/// Statistics of a solve: iterations, sums, sizes and times.
struct SolveRecord {
  GmresResult gmres;
  SolveTimes seconds;  ///< of the call, for all of its right-hand sides
  fmm::OperatorInfo fmm;
  bool mixed_precision = false;
  double fmm_sampled_error = 0.0;  ///< of the sums of the system, applied to the solution
  Preconditioner preconditioner = Preconditioner::none;
  FarFieldAccuracy accuracy;     ///< of the sums, for all right-hand sides
  std::size_t near_entries = 0;  ///< of the system matrix
  std::size_t near_bytes = 0;

  bool converged() const { return gmres.status == GmresStatus::converged; }
};

/// The record of right-hand side `k`.
SolveRecord record_of(const BoundarySolution& solved, std::size_t k);

struct RegionSolution : BoundaryFields, SolveRecord {
  std::vector<double> unknown;  ///< of the formulation: whichever of phi and flux is not given, or
                                ///< the charge

  /// Whether the solve was completed, converged or not.
  bool complete() const { return !phi.empty(); }
};

struct RegionOptions : SolveOptions {
  Formulation formulation = Formulation::green;
  QuadratureOptions quadrature{};
};

struct RegionProblem {
  Region region;
  const BoundaryConditions& conditions;
  /// On every panel the mean flux or the potential, for one or several right-hand sides: rhs x
  /// panels.
  std::vector<double> known;
  std::size_t rhs = 1;
  /// With sheets (formulation `green`): their strengths are `sheet_rows` times the unknowns plus
  /// `sheet_known`, rhs x sheet unknowns.
  const SparseRows* sheet_rows = nullptr;
  std::vector<double> sheet_known{};
};

/// Solves for all right-hand sides at once, without gradients. Throws InputError for the
/// formulation `doublet` and for thin panels with a formulation other than `source`, and as solve()
/// in bem/boundary_problem.hpp does.
std::vector<RegionSolution> solve(RegionProblem problem, const RegionOptions& options,
                                  Backend& backend);

/// Whether phi is determined only up to a constant: inside a closed surface, with the flux given
/// everywhere and no plane of zero potential. The net flux must then vanish.
bool leaves_constant(const Region& region, const BoundaryConditions& conditions);

/// The integral equations. They determine the constant if the conditions do not.
BoundaryFormulation formulate(Formulation formulation, const Region& region,
                              const BoundaryConditions& conditions);

/// Throws InputError, with the component, for a uniform field that is incompatible with symmetry
/// planes: it must have no component normal to walls and none tangential to planes of zero
/// potential.
void require_compatible(const meshes::Symmetry& symmetry, const Vec3d& uniform,
                        std::string_view what = "the stream", std::string_view unit = "m/s");

/// The quadrature of `options`. The default tolerance is smaller with thin panels, since charges
/// near rims vary so much that errors of the quadrature matter, and with wakes, since errors at a
/// trailing edge are amplified in the circulation.
QuadratureOptions quadrature_of(const Region& region, const RegionOptions& options);

std::string_view to_string(Formulation formulation);

}  // namespace rankine::bem
