// What quadrature nodes of a panel sum up to at a point, nodes in SIMD lanes: most of what near entries cost. One
// function per instruction set and set of integrals.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Nodes come in groups of so many.
inline constexpr std::int64_t node_group = 4;

/// `count` in whole groups.
constexpr std::int64_t in_node_groups(std::int64_t count) {
  return (count + node_group - 1) / node_group * node_group;
}

/// Coordinates of nodes as separate arrays.
struct NodeArrays {
  const double *x, *y, *z;     ///< m
  const double *nx, *ny, *nz;  ///< unit normals
  const double* weight;        ///< m^2
};

/// Nodes in such arrays.
class SeparateNodes {
 public:
  /// Leaves them unset.
  void resize(std::size_t count);
  void set(std::size_t k, const Vec3d& point, const Vec3d& normal, double weight);

  NodeArrays arrays() const;

 private:
  AlignedVector<double> point_[3], normal_[3], weight_;
};

/// Adds to `sum` what nodes `begin` to `end` - 1, whole groups, make at `at`: the terms of point_kernels.hpp.
/// `scale`: a length that distances are in the order of, m. Nodes at the point itself add nothing.
using SumNodes = void (*)(const NodeArrays& nodes, std::int64_t begin, std::int64_t end,
                          const Vec3d& at, double scale, PanelIntegrals<double>& sum);

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
