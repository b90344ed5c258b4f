// How the far field sees the panels: quadrature nodes that become the sources of the fmm::Operator,
// and the balls within which a panel is integrated accurately instead.
//
// Error model. Beyond a distance a from the target a rule of degree d (1, 2, 4) leaves, on a smooth
// surface of size L made of panels of size l, the double layer of a constant with relative error
//
//   e(a) = C (l/L) (l/a)^p ,   p = 1, 3, 5 :
//
// a panel's own share is l^2/(L r), its relative error (l/r)^(p+1) times a moment; the rings of
// panels beyond a sum to the above, and odd moments cancel between neighbours. The single layer's
// error is smaller. C = 0.045, 0.0014, 0.00005 bounds what geodesic, graded and cubed spheres,
// ellipsoids and tori of 1280 to 8000 panels show (tests/bem checks the promise). The wanted e is
// the user's, or a fifth of the discretization error of flat constant panels, 0.05 (l/L)^2 on
// spheres, and a thousandth at most: then a/l grows only like N^(1/6), from 1.5 at 10^4 panels to 2.9
// at 10^6. Each panel has the rule that is the cheapest for it in nodes and near entries. Panels are
// integrated by a 7-point rule of degree 5 from the middle radius on, where it leaves a tenth of the
// wanted e, by exact formulas below it.
//
// In strips of length h and width w the shares are h w/(L r) and there are 1/(h w) of them to an area,
// so that e(a) is the same function of l = sqrt(3) times half the diagonal: Gauss points along strips
// see h, those across w. With q points p = 2 q - 1, and the leading term of the error of 1/r has
//
//   C = c_q / (3^q 2 p) ,   c_q = 4^q (q!)^4 / ((2 q + 1) ((2 q)!)^2) .
//
// Bodies of long panels are often thin. A sheet that faces another at the distance a sees of it, without
// the factor l/L, the solid angle, of which strips leave about a seventh (along) or a twentieth (across)
// of c_q / 3^q (l/a)^(2 q) in the mean square, as directions differ and neighbours go on where a panel
// ends: a is no less than what keeps that below e. Found on wings and ellipsoids 1:1:0.05 of panels with
// aspect ratios of 15 to 10^6, which then have errors of 0.1 e to 0.3 e.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/whole_rules.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

struct QuadratureOptions {
  /// Relative error of the boundary operators left by quadrature; 0: a fifth of the estimated
  /// discretization error, 0.001 at most.
  double tolerance = 0.0;
};

/// The mean of the nodes begin .. end - 1 by their weights, m. Host and device.
RANKINE_HD inline Vec3d middle_of_nodes(const Vec3d* points, const double* weights,
                                        std::int64_t begin, std::int64_t end) {
  Vec3d moment{};
  double weight = 0.0;
  for (std::int64_t node = begin; node < end; ++node) {
    moment += weights[node] * points[node];
    weight += weights[node];
  }
  return moment / weight;
}

struct PanelNodes {
  AlignedVector<std::int64_t> first{
      0};  ///< panels + 1: nodes of panel j are first[j] .. first[j + 1]
  AlignedVector<Vec3d> points, normals;
  AlignedVector<double> weights;  ///< m^2
  /// Where panels share nodes (bem/layers/shared_nodes.hpp) the source of the sums that a node is; empty:
  /// every node is one. `points` and `normals` are those of the sources then.
  AlignedVector<std::int32_t> source;
  AlignedVector<Vec3d> source_points, source_normals;
  AlignedVector<double> source_widths;  ///< of the cells of those that are shared, m; else 0
  NearBalls balls;                      ///< per panel: what is in one of them is near
  /// Per panel, m: exact formulas below, the 7-point rule above.
  AlignedVector<double> middle_radius;
  double tolerance = 0.0;       ///< the error asked of quadrature
  double error_estimate = 0.0;  ///< what the model expects with the balls taken

  /// The numbers of the nodes of a panel.
  std::size_t begin(std::size_t panel) const { return static_cast<std::size_t>(first[panel]); }
  std::size_t end(std::size_t panel) const { return static_cast<std::size_t>(first[panel + 1]); }
  /// The mean of a panel's nodes by their weights, about which strengths that vary have the panel's own as mean.
  Vec3d middle(std::size_t panel) const;
  /// Sources of the sums, and the directions of their dipoles: means of unit vectors where they are shared.
  std::span<const Vec3d> sum_points() const { return source.empty() ? points : source_points; }
  std::span<const Vec3d> sum_normals() const { return source.empty() ? normals : source_normals; }
  std::size_t source_of(std::size_t node) const {
    return source.empty() ? node : static_cast<std::size_t>(source[node]);
  }
  /// Mean number of nodes of a panel.
  double per_panel() const;
};

/// Chooses rules and balls. Throws InputError for a negative or not finite tolerance.
PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options = {});

/// Nodes as a backend places them (Backend::place_nodes).
struct PlacedNodes {
  PanelNodes nodes;
  std::shared_ptr<const void> on_device;  ///< copies that a device has of them; null: none
};

/// What is asked of quadrature on panels. Throws as place_nodes does.
FarAccuracy far_accuracy(const Panels& panels, const QuadratureOptions& options);

/// The mean over the surface of the errors that are expected of every panel.
double mean_error(const Panels& panels, std::span<const float> errors);

/// Estimated relative discretization error of flat constant panels
/// in the `green` formulation: 0.05 (l/L)^2.
double discretization_error_estimate(const Panels& panels);

}  // namespace rankine::bem
