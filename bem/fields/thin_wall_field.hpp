// The field of walls without thickness, from doublets and their vorticity.
#pragma once

#include <span>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/layers/off_surface.hpp"

namespace rankine::bem {

/// The field off thin walls: phi and its gradient, exact for the
/// vorticity on the panels at any distance.
class ThinWallField {
 public:
  /// Plans the sums to `points`. All of these must outlive the object.
  ThinWallField(const Panels& panels, const BoundaryFields& fields, std::span<const Vec3d> points,
                const fmm::Options& options, const QuadratureOptions& quadrature, Backend& backend);

  /// Plans the sums to other points. The data of the panels are kept.
  void move_to(std::span<const Vec3d> points) { sums_.move_to(points); }
  OffSurfaceValues evaluate();

 private:
  const BoundaryFields& fields_;
  OffSurfaceOperator sums_;
};

}  // namespace rankine::bem
