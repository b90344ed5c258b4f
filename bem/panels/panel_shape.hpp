// The shape of a panel: a triangle, or a quadrilateral made of two triangles along its diagonal
// 0-2, flat or curved. A curved triangle is the quadratic patch through its corners and three
// points near the midpoints of its chords,
//
//   y(a, b, c) = a A + b B + c C + 4 (a b d_AB + b c d_BC + c a d_CA) ,   a + b + c = 1 ,
//
// where d is the bulge of an edge, the vector from the midpoint of the chord to that of the curve.
// Panels that share an edge share its curve, so curved surfaces are as watertight as flat ones.
// Host and device.
#pragma once

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Corners are counter-clockwise as viewed from the fluid. Lengths in metres. Integrals use the
/// bulges of a panel only if it is `curved`. A flat panel may also have bulges, for functions that
/// need the smooth surface that it represents.
template <class T>
struct PanelShape {
  Vec3<T> corner[4];
  int corners = 3;
  bool curved = false;
  Vec3<T> bulge[4]{};  ///< of the edge from corner k to the next
  Vec3<T> diagonal_bulge{};
};

/// Smallest height of a bulge relative to its chord; a surface with lower ones is flat up to
/// rounding.
inline constexpr double least_rise = 1e-7;

/// Size of a panel from its radius: the side of the equilateral triangle with that circumradius.
RANKINE_HD inline double panel_size(double radius) { return 1.7320508075688772 * radius; }

/// One triangle of a panel. `bulge[k]` belongs to the edge from corner k to the next.
template <class T>
struct TrianglePatch {
  Vec3<T> corner[3], bulge[3];

  RANKINE_HD Vec3<T> point(T a, T b, T c) const {
    return corner[0] * a + corner[1] * b + corner[2] * c +
           (bulge[0] * (a * b) + bulge[1] * (b * c) + bulge[2] * (c * a)) * T(4);
  }

  /// n dA per unit of area fraction, in which the weights of a triangle rule are given.
  RANKINE_HD Vec3<T> vector_area(T a, T b, T c) const {
    return cross(along_b(a, b, c), along_c(a, b, c)) * T(0.5);
  }

  /// Derivatives of the point with respect to b and c, at a = 1 - b - c.
  RANKINE_HD Vec3<T> along_b(T a, T b, T c) const {
    return corner[1] - corner[0] + (bulge[0] * (a - b) + (bulge[1] - bulge[2]) * c) * T(4);
  }
  RANKINE_HD Vec3<T> along_c(T a, T b, T c) const {
    return corner[2] - corner[0] + (bulge[2] * (a - c) + (bulge[1] - bulge[0]) * b) * T(4);
  }
};

/// Triangle `half` of the surface of a panel: corners 0 1 2, or of a quadrilateral also 2 3 0,
/// whose last edge is the diagonal.
template <class T>
RANKINE_HD TrianglePatch<T> surface_triangle(const PanelShape<T>& panel, int half) {
  const Vec3<T>*c = panel.corner, *b = panel.bulge;
  if (half == 1) return {{c[2], c[3], c[0]}, {b[2], b[3], panel.diagonal_bulge}};
  return {{c[0], c[1], c[2]}, {b[0], b[1], panel.corners == 4 ? panel.diagonal_bulge : b[2]}};
}

/// The same for integrals: without bulges unless the panel is curved.
template <class T>
RANKINE_HD TrianglePatch<T> triangle_of(const PanelShape<T>& panel, int half) {
  if (panel.curved) return surface_triangle(panel, half);
  const Vec3<T>* c = panel.corner;
  if (half == 1) return {{c[2], c[3], c[0]}, {}};
  return {{c[0], c[1], c[2]}, {}};
}

}  // namespace rankine::bem
