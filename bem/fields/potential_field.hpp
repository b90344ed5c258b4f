// The potential of a solved region and its gradient at any point, accurate at any distance.
//
//   phi = S c + D m + constant      c, m the densities of the solution
//
// Far panels are summed by an fmm::Operator, near ones are integrated exactly
// (bem/layers/off_surface.hpp). Closer than about one panel size the jumps of strength between
// panels matter: piecewise constant doublets have vortex filaments on the panel edges, and the
// error of the gradient at the distance d from panels of size l grows like exp(-2 pi d/l). There
// the field is interpolated along the direction from the closest surface point, by a polynomial of
// t/(1 + k t), where t is the distance and k the curvature of the surface. One of the interpolated
// values is that on the smooth surface, of second order, from the fit of
// bem/panels/panel_patch.hpp. The others are panel integrals at 0.8 to 2 panel sizes. Points too
// close to other panels or inside a body are not used. If another wall is near, the polynomial also
// interpolates its value and the slopes of the gradient at both walls, which follow from fits along
// the walls (bem/fields/wall_points.hpp). In a gap narrower than the panels the values and slopes
// at the walls are sufficient.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/fields/wall_points.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::bem {

// The field of walls without thickness, computed from their doublets and vorticity.

/// phi and its gradient off thin walls, exact for the panels' vorticity at any distance.
class ThinWallField {
 public:
  /// Plans the sums at `points`. All arguments must outlive the object.
  ThinWallField(const Panels& panels, const BoundaryFields& fields, std::span<const Vec3d> points,
                const fmm::Options& options, const QuadratureOptions& quadrature, Backend& backend);

  /// Plans the sums for other points and reuses the data of the panels.
  void move_to(std::span<const Vec3d> points) { sums_.move_to(points); }
  OffSurfaceValues evaluate();

 private:
  const BoundaryFields& fields_;
  OffSurfaceOperator sums_;
};

struct FieldOptions {
  fmm::Options fmm{.tolerance = 1e-7};
  QuadratureOptions quadrature{};  ///< tolerance 0: that of field_quadrature()
};

/// Default quadrature error, relative to the estimated discretization error.
inline constexpr double field_quadrature_share = 0.01;

/// Default quadrature error of fields at any distance from panels: field_quadrature_share times l/L
/// for panels of size l on a body of size L. Near panels errors of gradients are L/l times larger.
double field_quadrature(const Panels& panels);

struct PotentialField {
  std::vector<double> phi;
  std::vector<Vec3d> gradient;
  std::vector<std::uint8_t> inside;  ///< 1 outside of the region, where the other values are zero
  double sum_error = 0.0;            ///< of OffSurfaceValues
};

/// The field of a solution at any number of sets of points. Data of the panels are computed once.
class PotentialEvaluator {
 public:
  /// `fields` must have a gradient, or the vorticity of thin walls. Panels, fields and backend must
  /// outlive the object.
  PotentialEvaluator(const Region& region, const BoundaryFields& fields,
                     const FieldOptions& options, Backend& backend);

  /// Throws InputError for points that are not finite.
  PotentialField at(std::span<const Vec3d> points);
  /// For several fields on the same boundary, without thin walls; the sums are planned once.
  std::vector<PotentialField> at(std::span<const Vec3d> points,
                                 std::span<const BoundaryFields* const> fields);

 private:
  /// The field of thin walls, which have no vortex filaments between panels.
  PotentialField beside_thin_walls(std::span<const Vec3d> points);

  /// D 1 of the boundary at points (bem/layers/off_surface.hpp); 0 outside its bounding box.
  std::vector<double> winding(std::span<const Vec3d> points) const;

  Region region_;
  BoundingBox box_;                             ///< bounding box of the panels and their images
  std::vector<std::uint8_t> encloses_nothing_;  ///< flags of thin panels and sheets; empty: none
  const BoundaryFields& fields_;
  FieldOptions options_;
  Backend& backend_;
  PanelNeighbourhood neighbourhood_;
  WallFinder walls_;
  std::unique_ptr<OffSurfaceOperator> sums_;
  const BoundaryFields* held_ = nullptr;  ///< the fields whose strengths are set in the sums
  std::unique_ptr<ThinWallField> thin_walls_;
};

}  // namespace rankine::bem
