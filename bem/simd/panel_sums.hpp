// Integrals and moments of several triangles, by the closed forms of bem/panels with triangles in
// SIMD lanes. They take most of the time of near entries. There is one function per instruction
// set, set of integrals and kind of triangle.
#pragma once

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/bem/panels/panel_shape.hpp"

namespace rankine::bem {

/// A group of triangles, coordinate by coordinate.
struct TriangleLanes {
  static constexpr int most = 8;
  double corner[3][3][most], bulge[3][3][most];  ///< of corner k and edge k: x, y, z; m

  void set(int lane, const TrianglePatch<double>& triangle) {
    for (int k = 0; k < 3; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        corner[k][axis][lane] = triangle.corner[k][axis];
        bulge[k][axis][lane] = triangle.bulge[k][axis];
      }
    }
  }
};

/// Integrals over the triangles; those that are not selected are not set.
struct IntegralLanes {
  double single[TriangleLanes::most], dbl[TriangleLanes::most];
  double grad_single[3][TriangleLanes::most], grad_dbl[3][TriangleLanes::most];

  void add_to(PanelIntegrals<double>& sum, int lane, const IntegralSet& wanted) const {
    if (wanted.single) sum.single += single[lane];
    if (wanted.dbl) sum.dbl += dbl[lane];
    for (int axis = 0; axis < 3; ++axis) {
      if (wanted.grad_single) sum.grad_single[axis] += grad_single[axis][lane];
      if (wanted.grad_dbl) sum.grad_dbl[axis] += grad_dbl[axis][lane];
    }
  }
};

/// Integrates the first `count` triangles at x, which is not a collocation point of their panels.
/// All three edges of flat triangles contribute.
using IntegrateTriangles = void (*)(const TriangleLanes& triangles, int count, const Vec3d& x,
                                    IntegralLanes& integrals);

/// Triangles, each with a point x, and their moments about points (bem/panels/panel_moments.hpp).
struct MomentLanes {
  TriangleLanes triangles;
  double x[3][TriangleLanes::most], about[3][TriangleLanes::most];     ///< m
  double own[TriangleLanes::most];                                     ///< 1 if x lies on the
                                                                       ///< triangle, otherwise 0
  double single[3][TriangleLanes::most], dbl[3][TriangleLanes::most];  ///< results, m^2 and m
};
/// Computes the moments of the first `count` triangles.
using TriangleMoments = void (*)(MomentLanes& lanes, int count);

}  // namespace rankine::bem
