// Sums over the quadrature nodes of a panel at a point, with nodes in SIMD lanes. They take most of
// the time of near entries. There is one function per instruction set and set of integrals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// A group of nodes, coordinate by coordinate. The groups of a panel are contiguous in memory.
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

/// Number of groups for this number of nodes.
constexpr std::int64_t group_count(std::int64_t nodes) {
  return (nodes + NodeGroup::size - 1) / NodeGroup::size;
}

/// Adds the sums over the nodes of `groups` at the point `at` to `sum`: the terms of
/// point_kernels.hpp. `scale`: a length of the order of the distances, m. Nodes at the point itself
/// contribute nothing.
using SumNodes = void (*)(std::span<const NodeGroup> groups, const Vec3d& at, double scale,
                          PanelIntegrals<double>& sum);

/// Adds the potential and the gradient of the nodes of `groups` at the point `at`, without the
/// factor 1/(4 pi). Here the weights are charges, and the normals are dipoles of any length.
using SumFields = void (*)(std::span<const NodeGroup> groups, const Vec3d& at, double scale,
                           double& potential, Vec3d& gradient);

/// The index of a function in the table of an instruction set.
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
