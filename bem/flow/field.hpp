// Potential and velocity of a solved flow at any point off the surface, accurate at any distance.
//
//   phi = S c + D m             c, m the densities of the solution
//   u   = U + v + grad phi      v of sources, doublets and vortices
//   p   = rho (|U|^2 - |u|^2) / 2
//
// Far panels are summed by an fmm::Operator, near ones are integrated exactly
// (bem/layers/off_surface.hpp). Closer than about one panel size the steps between constant panels
// matter: piecewise constant doublets have vortex filaments on the panel edges, and the error of
// the velocity at the distance d from panels of size l grows like exp(-2 pi d/l). There the field
// is interpolated along the direction from the closest surface point, by a polynomial of t/(1 + k
// t), where t is the distance and k the curvature of the surface. It goes through the value on the
// smooth surface (second order, from the fit of bem/panels/panel_patch.hpp at its true height over
// the flat panel) and values of the integrals at 0.8 to 2 panel sizes. Values at points within
// reach of other panels or inside a body are left out. If another wall is near, its value is used
// as well, and so are the slopes of the velocity at both walls, from fits along them
// (bem/flow/wall_state.hpp). In a gap narrower than the panels these are sufficient.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/flow/wall_points.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

struct FieldOptions {
  fmm::Options fmm{.tolerance = 1e-7};
  QuadratureOptions quadrature{};  ///< 0: a hundredth of the estimated discretization error
};

/// Default quadrature error, relative to the estimated discretization error.
inline constexpr double field_quadrature_share = 0.01;

struct Field {
  std::vector<double> phi;           ///< without the potential of the stream and vortices, m^2/s
  std::vector<Vec3d> velocity;       ///< total, m/s
  std::vector<double> pressure;      ///< Pa, relative to the stream
  std::vector<std::uint8_t> inside;  ///< 1 inside a body, where the other values are zero
};

/// The field of one solution at any number of sets of points. Data of the panels are computed once.
class FieldEvaluator {
 public:
  /// All of these must outlive the object.
  FieldEvaluator(const FlowProblem& problem, const Solution& solution, const FieldOptions& options,
                 Backend& backend);

  /// Throws InputError for points that are not finite.
  Field at(std::span<const Vec3d> points);

 private:
  /// The field of thin walls, whose vorticity has no filaments between panels.
  Field beside_thin_walls(std::span<const Vec3d> points);
  /// Adds the unsteady pressure of moving walls (bem/flow/unsteady.hpp).
  void add_rate(std::span<const Vec3d> points, Field& field);

  const FlowProblem& problem_;
  const Solution& solution_;
  FieldOptions options_;
  Backend& backend_;
  PanelNeighbourhood neighbourhood_;
  WallFinder walls_;
  OnsetField onset_;
  /// grad phi at the points and on the back of thin panels, m/s.
  std::vector<Vec3d> perturbation_, perturbation_behind_;
  std::unique_ptr<OffSurfaceOperator> sums_;
  std::unique_ptr<ThinWallField> thin_walls_;
  std::unique_ptr<FieldEvaluator> rate_;  ///< of the solution's rate; null before its first use
};

/// Evaluates the flow at `points`. Throws InputError for points that are not finite.
Field evaluate_field(const FlowProblem& problem, const Solution& solution,
                     std::span<const Vec3d> points, const FieldOptions& options, Backend& backend);

}  // namespace rankine::bem
