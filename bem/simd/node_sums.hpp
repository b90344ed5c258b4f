// What the far-field nodes of a long panel have summed up to at a point, nodes in SIMD lanes: most of what near
// entries of such panels cost. One function per instruction set and set of integrals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Coordinates of nodes as separate arrays.
struct NodeArrays {
  const double *x, *y, *z;     ///< m
  const double *nx, *ny, *nz;  ///< unit normals
  const double* weight;        ///< m^2
};

/// Subtracts from `sum` what nodes `begin` to `end` - 1 make at `at`: the terms of point_kernels.hpp. `scale`: a
/// length that distances are in the order of, m. Nodes at the point itself add nothing.
using SubtractNodes = void (*)(const NodeArrays& nodes, std::int64_t begin, std::int64_t end,
                               const Vec3d& at, double scale, PanelIntegrals<double>& sum);

/// Its place in the table of an instruction set.
constexpr std::size_t index_of(const IntegralSet& wanted) {
  return (wanted.single ? 1U : 0U) + (wanted.dbl ? 2U : 0U) + (wanted.grad_single ? 4U : 0U) +
         (wanted.grad_dbl ? 8U : 0U);
}
inline constexpr std::size_t integral_sets = 16;

/// That of the best instruction set that this processor runs.
SubtractNodes subtract_nodes(const IntegralSet& wanted);

/// Nodes with their arrays.
class SeparateNodes {
 public:
  SeparateNodes(const Vec3d* points, const Vec3d* normals, const double* weights,
                std::size_t count);

  NodeArrays arrays() const;

 private:
  std::vector<double> part_[6];
  const double* weights_;
};

}  // namespace rankine::bem
