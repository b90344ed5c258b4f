// Strengths of doublets near sharp edges, where they are not linear on a panel. If the fluid
// occupies the angle w > pi, the potential near the edge is [KP01]
//
//   phi = c + g.y + k d^a ,   d: distance from the edge
//
// Where the fluid flows around the edge, a = pi/w. There the value at a collocation point is not
// the mean over the panel: for a thin plate they differ by 4 % of k sqrt(l) on a panel of width l.
// On panels with such an edge, and on the two rings around these, g and k are fitted by least
// squares to two rings of panels.
//
// Where a wake begins, the Kutta condition leaves a = 2 pi/w, little more than 1, with a curvature
// that is infinite at the edge. There the equations of the two sides determine only the sum of two
// facing values. An error of a strength on one side changes the circulation by about ten times as
// much, unless the panels of both sides are mirror images.
//
// A body that ends on a symmetry plane with phi = 0, such as a free surface, has an edge there if
// the fluxes of body and image have opposite signs. If the body is normal to the plane, w = pi, the
// potential contains k d log d.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/layers/edge_functions.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// The panels, without images, at nodes where panels may meet in sharp edges or at planes where the
/// flux jumps, ascending.
std::vector<std::int32_t> panels_at_edges(const PanelNeighbourhood& around);

/// The pieces of edges on panels and their images.
class EdgePieces {
 public:
  /// The edges around which the fluid flows: sharp convex ones, with exponents pi/w, and planes
  /// where the flux jumps. `around` must outlive this object.
  explicit EdgePieces(const PanelNeighbourhood& around);
  /// Given pieces on panels that are not images.
  EdgePieces(const PanelNeighbourhood& around, std::vector<PanelEdge> pieces);

  /// Without images, in the order of panels.
  std::span<const PanelEdge> all() const { return pieces_; }
  /// Adds the pieces on a panel or image.
  void add(std::int32_t panel, std::vector<EdgePiece>& pieces) const;

 private:
  const PanelNeighbourhood& around_;
  std::vector<PanelEdge> pieces_;
};

/// The meaning of values on panels near edges: means over the panels, or values at their
/// collocation points. The fit to values at points includes the curvature along the edge, which is
/// not small compared with powers near 1.
enum class PanelValue { mean, at_point };

/// The strength on a panel from its value m and those of the panels around,
///
///   m(y) = m_j + sum over k of (m_k - m_j) (slope_k . (y - c_j) + sum_b factor_kb (f_b(y) - F_b))
///
/// where F_b is the value of f_b on the panel, its mean or that at the point, and m_k of images has
/// the sign of the plane. Neighbours are on the same side of sharp edges and of planes where the
/// flux jumps.
struct EdgeStrength {
  std::int32_t panel;
  std::vector<EdgeFunction> functions;
  bool in_corner = false;   ///< the panel itself has two edges: its singularity is not the sum of
                            ///< theirs
  bool is_between = false;  ///< two edges on opposite sides share a function
  EdgeFactors values{}, at_point{};    ///< F_b; f_b at the collocation point
  std::vector<std::int32_t> around{};  ///< k; panels or images
  std::vector<Vec3d> slopes{};         ///< per neighbour
  std::vector<EdgeFactors> factors{};  ///< per neighbour
};

/// The strengths on panels with a piece of an edge and on the two rings around them; with values at
/// points, on one ring. Panels without such a strength: those whose neighbours do not determine the
/// fit, and those with `is_constant`. On panels of a `strip` (SourceSet) the slope is along the
/// strip, fitted to panels of the strip.
std::vector<EdgeStrength> edge_strengths(const PanelNeighbourhood& around, const EdgePieces& pieces,
                                         const std::vector<std::uint8_t>& is_constant,
                                         PanelValue value = PanelValue::mean,
                                         std::span<const std::int8_t> strip = {});

}  // namespace rankine::bem
