#include "rankine/bem/fields/thin_wall_field.hpp"

#include <vector>

namespace rankine::bem {

ThinWallField::ThinWallField(const Panels& panels, const BoundaryFields& fields,
                             std::span<const Vec3d> points, const fmm::Options& options,
                             const QuadratureOptions& quadrature, Backend& backend)
    : fields_(fields), sums_(backend, panels, points, options, quadrature) {}

OffSurfaceValues ThinWallField::evaluate() {
  OffSurfaceValues values;
  values.potential = sums_.evaluate({{}, fields_.doublet}).potential;
  values.gradient.resize(values.potential.size());
  std::vector<double> component(fields_.vorticity.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t j = 0; j < component.size(); ++j) component[j] = fields_.vorticity[j][axis];
    const std::vector<Vec3d> slope = sums_.evaluate({component, {}}).gradient;
    Vec3d along{};
    (axis == 0 ? along.x : axis == 1 ? along.y : along.z) = 1.0;
    for (std::size_t i = 0; i < slope.size(); ++i) values.gradient[i] += cross(slope[i], along);
  }
  return values;
}

}  // namespace rankine::bem
