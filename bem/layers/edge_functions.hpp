// Powers of the distance from sharp edges, with their means over panels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// A straight piece of a sharp edge, with the exponent of the distance from it.
struct EdgePiece {
  Vec3d begin, end;
  double exponent;
};

/// A piece of an edge on one of the panels at it.
struct PanelEdge {
  std::int32_t panel;
  EdgePiece piece;
};

/// f = t^a, t = d/l, near one sharp edge, from the pieces of it that are close. For exponents near
/// 1 f = (t^a - t) / (a - 1), which is t log t in the limit.
struct EdgeFunction {
  std::vector<EdgePiece> pieces;
  double exponent = 1.0, scale = 1.0;
  double linear = 0.0, divisor = 1.0;  ///< 1 and a - 1 for exponents near 1

  /// From the closest point of the edge to y. Pieces are extended by half their length.
  Vec3d from_edge(const Vec3d& y) const;
  /// t
  double distance(const Vec3d& y) const;
  double operator()(const Vec3d& y) const;
  Vec3d gradient(const Vec3d& y) const;
  /// The mean over a triangle.
  double mean(const TrianglePatch<double>& triangle) const;
};

/// The largest number of functions on a panel, one for each edge that meets in a corner.
inline constexpr std::size_t most_edge_functions = 2;
using EdgeFactors = std::array<double, most_edge_functions>;

/// A part of a panel: a triangle with the means of the functions over it, and their slopes.
struct EdgePart {
  PanelShape<double> shape;
  Vec3d centre;
  EdgeFactors means;
  std::array<Vec3d, most_edge_functions> slopes;
};

/// Divides a panel into parts, 16 for each of its triangles.
std::vector<EdgePart> edge_parts(const PanelShape<double>& shape,
                                 std::span<const EdgeFunction> functions);

}  // namespace rankine::bem
