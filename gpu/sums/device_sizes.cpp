#include "rankine/gpu/sums/device_sizes.hpp"

#include "rankine/bem/layers/layer_sizes.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/gpu/sums/translation_tiles.hpp"

namespace rankine::gpu {

double cuda_operator_bytes(const fmm::OperatorSize& size) {
  constexpr double index = 4.0;
  const double real = fmm::real_bytes(size.precision), rhs = size.rhs;
  const double columns = (size.vortices ? 3.0 : 1.0) * rhs;
  const double results = size.vortices ? (size.gradient ? 12.0 : 3.0) : (size.gradient ? 4.0 : 1.0);
  const double source = index + 6.0 * real + real * (size.dipoles ? 4.0 * rhs : columns);
  // Partial sums of mutual pairs, per point and component: 12 to 14 numbers for leaves of 30 to 120
  // points in a cube, 28 for 244 points.
  const double partials = fmm::sums_both_ways(size) ? 30.0 * real * results : 0.0;
  const double target = index + 3.0 * real + rhs * real * results + partials;
  // Near ranges, translation columns and blocks: about 13 near and 60 far boxes per box.
  const double lists = 13.0 * (2.0 * index + 3.0 * real) + 60.0 * 2.0 * index;
  const double padded = padded_coefficients(size.order);
  const double expansions = 2.0 * columns * padded * real;
  // 56 M2L matrices, most of a lower order than the expansions.
  const double matrices = 32.0 * padded * padded * real;
  const double tree = size.order > 0 ? size.boxes * (lists + expansions) + matrices : 0.0;
  return size.sources * source + size.targets * target + tree;
}

double cuda_setup_bytes(const fmm::OperatorSize& size) {
  return 8.0 * size.sources + 1000.0 * size.boxes;
}

double integration_bytes(double panels, double nodes, double balls) {
  return bem::shape_bytes(panels) + bem::panel_node_bytes(panels, nodes, balls);
}

double held_panel_bytes(double panels) {
  // The maximum: meshes of quadrilaterals have as many nodes as panels, more than triangle meshes.
  constexpr double vectors = 2.0 * sizeof(Vec3d), at_nodes = 8.0 + 4.0 * 4.0;
  return panels * (sizeof(meshes::Element) + vectors + at_nodes);
}

}  // namespace rankine::gpu
