// Strengths of doublets at sharp edges around which the fluid flows. If the fluid occupies the
// angle w > pi, the potential near the edge is
//
//   phi = c + g.y + k d^(pi/w) ,   d: distance from the edge
//
// [KP01]. There the value at a collocation point is not the mean over the panel: for a thin plate
// they differ by 4 % of k sqrt(l) on a panel of width l. On panels with such an edge, and on the
// two rings around these, g and k are fitted by least squares to two rings of panels.
//
// A symmetry plane on which phi = 0 and where the fluxes of body and image have opposite signs is
// an edge of both, for instance a free surface. For a body normal to it, w = pi, the potential has
// the part k d log d.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// A straight piece of a sharp edge, with the exponent pi/w.
struct EdgePiece {
  Vec3d begin, end;
  double exponent;
};

/// f = t^a, t = d/l, near one sharp edge, from the pieces of it that are close. On a plane where
/// the body has no sharp edge f = (t^a - t) / (a - 1), which is t log t in the limit of a = 1.
struct EdgeFunction {
  std::vector<EdgePiece> pieces;
  double exponent = 1.0, scale = 1.0;
  double linear = 0.0, divisor = 1.0;  ///< 1 and a - 1 on planes

  /// t
  double distance(const Vec3d& y) const;
  double operator()(const Vec3d& y) const;
  Vec3d gradient(const Vec3d& y) const;
  /// The mean over a triangle.
  double mean(const TrianglePatch<double>& triangle) const;
};

/// Edges that meet in a corner: the largest number of functions on a panel.
inline constexpr std::size_t most_edge_functions = 2;
using EdgeFactors = std::array<double, most_edge_functions>;

/// The strength on a panel from the means m of the panels around,
///
///   m(y) = m_j + sum over k of (m_k - m_j) (slope_k . (y - c_j) + sum_b factor_kb (f_b(y) - M_b))
///
/// where M_b is the mean of f_b over the panel, and m_k of images has the sign of the plane.
/// Neighbours are on the same side of sharp edges and of planes where the flux jumps.
struct EdgeStrength {
  std::int32_t panel;
  std::vector<EdgeFunction> functions;
  bool in_corner = false;   ///< the panel itself has two edges, whose singularities are not the sum
                            ///< of both
  bool is_between = false;  ///< two edges on opposite sides share a function
  EdgeFactors means{}, at_point{};     ///< M_b; f_b at the collocation point
  std::vector<std::int32_t> around{};  ///< k; panels or images
  std::vector<Vec3d> slopes{};         ///< per neighbour
  std::vector<EdgeFactors> factors{};  ///< per neighbour
};

/// Panels without a sharp convex edge nearby have none, nor have those whose neighbours do not
/// determine the fit. `is_constant`: flags of panels whose strength is constant.
std::vector<EdgeStrength> edge_strengths(const PanelNeighbourhood& around,
                                         const std::vector<std::uint8_t>& is_constant);

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
