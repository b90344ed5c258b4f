// Quadrature rules on long triangles, which are divided along their length into strips.
//
// A triangle is one wedge, from its shortest edge to the opposite corner. If that edge is also
// long, the triangle is two wedges: the height on the longest edge divides it, and a wedge extends
// from the height to each end. A wedge, with u from 0 at the tip to 1 at the edge,
//
//   y(u, v) = (1 - u) tip + u ((1 - v) left + v right) ,   dA = 2 A u du dv ,
//
// has strips between lines of constant u. A strip has Gauss points along u and across v, in
// barycentric coordinates, so that strips of curved triangles lie on the surface.
#pragma once

#include <array>
#include <cstdint>

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Corners are barycentric coordinates in a triangle.
struct Wedge {
  Vec3d tip, left, right;
  double length;  ///< from the tip to the middle of the edge, m
  double width;   ///< of the edge, m
};

struct Wedges {
  std::array<Wedge, 2> wedge;
  int count = 0;
  double length() const { return count == 2 ? wedge[0].length + wedge[1].length : wedge[0].length; }
  double width() const {
    return count == 2 && wedge[1].width > wedge[0].width ? wedge[1].width : wedge[0].width;
  }
};

Wedges wedges_of(const TrianglePatch<double>& triangle);

/// The Gauss points of a strip, along and across.
struct StripRule {
  static constexpr int most_points = 4;
  std::uint8_t along = 1, across = 1;
  int nodes() const { return along * across; }
};

/// A ball around a strip.
struct StripBall {
  Vec3d centre;
  double radius;
};

/// A strip of a wedge, between two values of u.
struct Strip {
  double from = 0.0, to = 1.0;
};

StripBall strip_ball(const TrianglePatch<double>& triangle, const Wedge& wedge, const Strip& strip);

/// Writes the nodes of a rule on a strip and returns the end of the output.
QuadratureNode* place_on_strip(const TrianglePatch<double>& triangle, const Wedge& wedge,
                               const Strip& strip, const StripRule& rule, QuadratureNode* out);

}  // namespace rankine::bem
