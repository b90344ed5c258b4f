// What quadrature nodes of a panel sum up to at a point, nodes in SIMD lanes: most of what near entries cost. One
// function per instruction set and set of integrals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Nodes side by side, coordinate by coordinate. Those of a panel follow one another, so that they are written and read
/// as one stream.
struct NodeGroup {
  static constexpr int size = 4;
  double x[size], y[size], z[size];     ///< m
  double nx[size], ny[size], nz[size];  ///< unit normals
  double weight[size];                  ///< m^2

  void set(int lane, const QuadratureNode& node) {
    x[lane] = node.point.x;
    y[lane] = node.point.y;
    z[lane] = node.point.z;
    nx[lane] = node.normal.x;
    ny[lane] = node.normal.y;
    nz[lane] = node.normal.z;
    weight[lane] = node.weight;
  }
};

/// The groups that so many nodes fill.
constexpr std::int64_t group_count(std::int64_t nodes) {
  return (nodes + NodeGroup::size - 1) / NodeGroup::size;
}

/// Adds to `sum` what the nodes of `groups` make at `at`: the terms of point_kernels.hpp. `scale`: a length that
/// distances are in the order of, m. Nodes at the point itself add nothing.
using SumNodes = void (*)(std::span<const NodeGroup> groups, const Vec3d& at, double scale,
                          PanelIntegrals<double>& sum);

/// Its place in the table of an instruction set.
constexpr std::size_t index_of(const IntegralSet& wanted) {
  return (wanted.single ? 1U : 0U) + (wanted.dbl ? 2U : 0U) + (wanted.grad_single ? 4U : 0U) +
         (wanted.grad_dbl ? 8U : 0U);
}
inline constexpr std::size_t integral_sets = 16;
constexpr IntegralSet set_of(std::size_t index) {
  return {.single = (index & 1) != 0,
          .dbl = (index & 2) != 0,
          .grad_single = (index & 4) != 0,
          .grad_dbl = (index & 8) != 0};
}

}  // namespace rankine::bem
