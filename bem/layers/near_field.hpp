// Potential and gradient of a panel at a nearby point off the surface, minus the contribution of
// the panel's far-field nodes (bem/layers/off_surface.hpp), without the factor 1/(4 pi). Strengths
// are linear on the panel. Host and device.
#pragma once

#include <array>
#include <cstdint>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

/// Number of nodes of the rule for points that are not very close.
inline constexpr int fine_nodes = 12;

/// Plain pointers into Panels and PanelNodes, in host or device memory.
struct NearFieldView {
  const PanelShape<double>* shape;
  const Vec3d *centroid, *normal;
  const double* radius;
  const std::int64_t* first_node;  ///< as of NearEntryView
  const Vec3d *far_points, *far_normals;
  const double* far_weights;
  std::array<TrianglePoint, fine_nodes> rule;
};

/// Strengths of one kind on panels: means, and gradients, two components each along the tangents of
/// the panel (bem/panels/tangents.hpp). Null if there are none.
struct LinearStrengths {
  const double* mean = nullptr;
  const double* gradient = nullptr;

  RANKINE_HD double of(std::int32_t panel) const { return mean == nullptr ? 0.0 : mean[panel]; }
  RANKINE_HD Vec3d slope(std::int32_t panel, const Tangents& along) const {
    if (mean == nullptr) return {};
    const double* const of_panel = gradient + 2 * static_cast<std::int64_t>(panel);
    return of_panel[0] * along.t1 + of_panel[1] * along.t2;
  }
};

struct PointField {
  double potential = 0.0;
  Vec3d gradient{};
};

/// A rule on a quarter of a triangle: the quarter at a corner, or the middle one if `corner` = 3.
RANKINE_HD inline TrianglePoint in_quarter(const TrianglePoint& p, int corner) {
  if (corner == 3)
    return {0.5 * (1.0 - p.a), 0.5 * (1.0 - p.b), 0.5 * (1.0 - p.c), 0.25 * p.weight};
  return {0.5 * (p.a + (corner == 0)), 0.5 * (p.b + (corner == 1)), 0.5 * (p.c + (corner == 2)),
          0.25 * p.weight};
}

/// The method by which a panel is integrated at a point.
enum class NearRule { closed, quarters, whole };

RANKINE_HD inline NearRule near_rule(double distance, double panel_radius) {
  const double sizes = distance / panel_size(panel_radius);
  if (sizes <= 0.5 * fitted::smooth_from) return NearRule::closed;
  return sizes < fitted::smooth_from ? NearRule::quarters : NearRule::whole;
}

class NearPanelField {
 public:
  RANKINE_HD NearPanelField(const NearFieldView& view, std::int32_t panel,
                            const LinearStrengths& charges, const LinearStrengths& doublets)
      : view_(view), panel_(panel), charge_(charges.of(panel)), doublet_(doublets.of(panel)) {
    const Tangents along(view.normal[panel]);
    charge_slope_ = charges.slope(panel, along);
    doublet_slope_ = doublets.slope(panel, along);
  }

  RANKINE_HD void add_to(const Vec3d& x, PointField& field) const {
    const NearRule rule = near_rule(norm(x - view_.centroid[panel_]), view_.radius[panel_]);
    const auto far = [&](const auto& work) { for_far_nodes(work); };
    if (rule == NearRule::closed) {
      PanelIntegrals<double> had;
      far([&](const QuadratureNode& node) {
        add_point<all_integrals>(x - node.point, node.normal, node.weight, had);
      });
      add(charge_, doublet_, 1.0, integrate_panel<all_integrals>(view_.shape[panel_], x), field);
      add(charge_, doublet_, -1.0, had, field);
    } else {
      add_nodes([&](const auto& work) { for_fine_nodes(rule, work); }, x, 1.0, field);
      add_nodes(far, x, -1.0, field);
    }
  }

 private:
  RANKINE_HD static void add(double charge, double doublet, double factor,
                             const PanelIntegrals<double>& unit, PointField& field) {
    field.potential += factor * (charge * unit.single + doublet * unit.dbl);
    field.gradient += factor * (charge * unit.grad_single + doublet * unit.grad_dbl);
  }

  template <class Work>
  RANKINE_HD void for_far_nodes(const Work& work) const {
    for (std::int64_t k = view_.first_node[panel_]; k < view_.first_node[panel_ + 1]; ++k)
      work(QuadratureNode{view_.far_points[k], view_.far_normals[k], view_.far_weights[k]});
  }
  template <class Work>
  RANKINE_HD void for_fine_nodes(NearRule rule, const Work& work) const {
    const PanelShape<double>& shape = view_.shape[panel_];
    const int parts = rule == NearRule::quarters ? 4 : 1;
    for (int half = 0; half + 2 < shape.corners; ++half) {
      const TrianglePatch<double> triangle = triangle_of(shape, half);
      for (int k = 0; k < parts * fine_nodes; ++k) {
        const TrianglePoint& whole = view_.rule[static_cast<std::size_t>(k % fine_nodes)];
        const TrianglePoint p = parts == 1 ? whole : in_quarter(whole, k / fine_nodes);
        const Vec3d area = triangle.vector_area(p.a, p.b, p.c);
        const double size = norm(area);
        work(QuadratureNode{triangle.point(p.a, p.b, p.c), area / size, p.weight * size});
      }
    }
  }

  /// Adds `factor` times the field of a rule's nodes, with strengths relative to their mean
  /// position.
  template <class Rule>
  RANKINE_HD void add_nodes(const Rule& rule, const Vec3d& x, double factor,
                            PointField& field) const {
    Vec3d moment{};
    double weight = 0.0;
    rule([&](const QuadratureNode& node) {
      moment += node.weight * node.point;
      weight += node.weight;
    });
    const Vec3d middle = moment / weight;
    rule([&](const QuadratureNode& node) {
      const Vec3d off = node.point - middle;
      PanelIntegrals<double> unit;
      add_point<all_integrals>(x - node.point, node.normal, node.weight, unit);
      add(charge_ + dot(charge_slope_, off), doublet_ + dot(doublet_slope_, off), factor, unit,
          field);
    });
  }

  const NearFieldView& view_;
  std::int32_t panel_;
  double charge_, doublet_;
  Vec3d charge_slope_{}, doublet_slope_{};
};

}  // namespace rankine::bem
