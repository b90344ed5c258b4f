// The far field represents panels by quadrature nodes, the sources of the fmm::Operator. Targets
// within a ball around a panel are near it; for them the integral over the panel replaces its
// nodes.
//
// Error model. Let panels farther from the target than a distance a be integrated by a rule of
// degree d (1, 2, 4), on a smooth surface of size L with panels of size l. The double layer of a
// constant then has the relative error
//
//   e(a) = C (l/L) (l/a)^p ,   p = 1, 3, 5 .
//
// A single panel contributes l^2/(L r), with a relative error of (l/r)^(p+1) times a moment. The
// sum over the rings of panels beyond a is e(a); odd moments cancel between neighbours. The error
// of the single layer is smaller. C = 0.045, 0.0014, 0.00005 are upper bounds for geodesic, graded
// and cubed spheres, ellipsoids and tori of 1280 to 8000 panels (tests/bem checks them). The
// tolerance e is given by the user; the default is 0.05 (l/L)^3, at most 0.001: errors that differ
// from panel to panel are divided by l/L in gradients, which are then second order. A solve limits
// the default to at least a tenth of the tolerance of its sums, whose errors also differ from panel
// to panel. Each panel has the rule with the lowest cost of nodes and near entries. Near panels
// beyond the middle radius, where its error is a tenth of e, are integrated with a 7-point rule of
// degree 5; closer ones with exact formulas.
//
// A strip of length h and width w contributes h w/(L r), and there are 1/(h w) strips per area. So
// e(a) is the same function, with l = h for the error of Gauss points along strips and l = w for
// that of points across strips. For a panel l is sqrt(3) times half its diagonal. With q points, p
// = 2 q - 1, and the leading term of the error of 1/r has
//
//   C = c_q / (3^q 2 p) ,   c_q = 4^q (q!)^4 / ((2 q + 1) ((2 q)!)^2) .
//
// Bodies with long panels are often thin. On a sheet that faces another one at the distance a, the
// double layer is the solid angle, without the factor l/L. The rms error of strips is then about a
// seventh (along) or a twentieth (across) of c_q / 3^q (l/a)^(2 q), since directions vary and
// neighbours continue a panel. The near radius is so large that this error is below e for all
// larger a. Both factors were fitted to wings and ellipsoids 1:1:0.05 with panels of aspect ratios
// of 15 to 10^6; their errors are 0.1 e to 0.3 e.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/whole_rules.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

struct QuadratureOptions {
  /// Relative error of the boundary operators due to quadrature; 0: the estimated discretization
  /// error times l/L, with panels of size l on a body of size L, and 0.001 at most.
  double tolerance = 0.0;
  /// The default is not below this, which solves derive from the tolerance of their sums.
  double least = 0.0;
};

/// The weighted mean of the nodes begin .. end - 1, m. Host and device.
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
  /// Panels + 1: nodes of panel j are first[j] .. first[j + 1].
  FetchedVector<std::int64_t> first{AlignedVector<std::int64_t>(1, 0)};
  FetchedVector<Vec3d> points, normals;
  FetchedVector<double> weights;  ///< m^2
  /// If panels share nodes (bem/layers/shared_nodes.hpp): the source of every node. `points` and
  /// `normals` of a node are then those of its source. Empty: every node is a source.
  AlignedVector<std::int32_t> source;
  MirroredVector<Vec3d> source_points, source_normals;
  NearBalls balls;  ///< per panel: targets in one of its balls are near
  /// Per panel, m: exact formulas are used for closer targets, the 7-point rule for farther ones.
  FetchedVector<double> middle_radius;
  double tolerance = 0.0;       ///< of the quadrature
  double error_estimate = 0.0;  ///< by the error model, with the chosen balls

  /// Panel j has the nodes begin(j) .. end(j) - 1.
  std::size_t begin(std::size_t panel) const { return static_cast<std::size_t>(first[panel]); }
  std::size_t end(std::size_t panel) const { return static_cast<std::size_t>(first[panel + 1]); }
  /// Whether a panel is cut into several strips. Such a panel has constant strength.
  bool is_cut(std::size_t panel) const { return balls.first[panel + 1] - balls.first[panel] > 1; }
  bool some_are_cut() const { return balls.radius.size() + 1 > balls.first.size(); }
  /// The weighted mean of a panel's nodes, where a linear strength equals the value of the panel.
  Vec3d middle(std::size_t panel) const;
  /// Sources of the sums, and the directions of their dipoles: unit vectors, or means of them for
  /// shared sources.
  MirroredSpan<Vec3d> sum_points() const {
    return source.empty() ? MirroredSpan<Vec3d>(points) : source_points;
  }
  MirroredSpan<Vec3d> sum_normals() const {
    return source.empty() ? MirroredSpan<Vec3d>(normals) : source_normals;
  }
  std::size_t source_of(std::size_t node) const {
    return source.empty() ? node : static_cast<std::size_t>(source[node]);
  }
  /// Fetches nodes that a device placed, before several threads read them.
  void bring_to_host() const {
    points.on_host();
    normals.on_host();
    weights.on_host();
  }
  /// Mean number of nodes of a panel.
  double per_panel() const;
  /// Mirrors of the arrays that sums read, and of those that only near corrections read.
  std::vector<const Mirror*> mirrors() const {
    return {sum_points().mirror(), sum_normals().mirror()};
  }
  std::vector<const Mirror*> near_mirrors() const {
    return {&first.mirror(), &weights.mirror(), &balls.radius.mirror(), &middle_radius.mirror()};
  }
};

/// Chooses rules and balls. Throws InputError for a negative or not finite tolerance.
PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options = {});

/// Nodes and balls of panels that are cut into strips.
struct StripNodes {
  std::vector<std::int32_t> panels;                        ///< ascending
  std::vector<std::int64_t> first_node{0}, first_ball{0};  ///< panels + 1
  std::vector<float> errors;                               ///< predicted, per panel
  AlignedVector<Vec3d> points, normals;
  AlignedVector<double> weights;
  AlignedVector<Vec3d> centres;  ///< of balls
  AlignedVector<double> radii;
};

/// The nodes of strips, for those of the `long_panels` on which they are better than whole rules.
StripNodes place_on_strips(const Panels& panels, const FarAccuracy& accuracy,
                           std::span<const std::int32_t> long_panels);

/// Numbers the balls of all panels, with radii `whole` of those that are not cut.
NearBalls balls_of_panels(const Panels& panels, std::span<const double> whole,
                          const StripNodes& strips);

/// Sums over panels: of the areas, m^2, and of these times squared sizes of panels, m^4.
struct SurfaceSums {
  double area = 0.0, moment = 0.0;
};
SurfaceSums surface_sums(const Panels& panels);

/// The tolerance of the quadrature on panels with `images`. Throws as place_nodes does.
FarAccuracy far_accuracy(const SurfaceSums& panels, int images, const QuadratureOptions& options);

/// Estimated relative discretization error of flat constant panels
/// in the `green` formulation: 0.05 (l/L)^2.
double discretization_error_estimate(const Panels& panels);

}  // namespace rankine::bem
