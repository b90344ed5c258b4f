// One entry of a near-field matrix: the accurate integral of a panel at a collocation point minus
// what the far-field nodes of that panel have already contributed there through the fmm::Operator.
// No factor 1/(4 pi). Host and device.
#pragma once

#include <cstdint>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Plain pointers into Panels and Discretization, in host or device memory.
struct NearEntryView {
  const PanelShape<double>* shape;
  const Vec3d* centroid;
  const Vec3d* normal;
  const double* middle_radius;
  const Vec3d* far_points;    ///< panels x nodes
  const Vec3d* far_normals;   ///< panels x nodes
  const double* far_weights;  ///< panels x nodes
  int nodes;
};

namespace detail {

/// The kernel of a layer between two points, zero when they coincide; r = x - y.
template <Layer L>
RANKINE_HD double kernel(const Vec3d& r, const Vec3d& target_normal, const Vec3d& source_normal) {
  const double r2 = dot(r, r);
  if (!(r2 > 0.0)) return 0.0;
  const double inverse = 1.0 / std::sqrt(r2);
  if constexpr (L == Layer::single_layer) {
    return inverse;
  } else if constexpr (L == Layer::double_layer) {
    return dot(source_normal, r) * inverse * inverse * inverse;
  } else {
    return -dot(target_normal, r) * inverse * inverse * inverse;
  }
}

template <Layer L>
RANKINE_HD double exact_integral(const PanelShape<double>& panel, const Vec3d& x,
                                 const Vec3d& target_normal, bool own) {
  if constexpr (L == Layer::single_layer) {
    return integrate_panel<false>(panel, x, own).single;
  } else if constexpr (L == Layer::double_layer) {
    return solid_angle(panel, x, own);
  } else {
    return dot(target_normal, integrate_panel<true>(panel, x, own).grad_single);
  }
}

/// The 7-point rule of degree 5 on one triangle [Strang & Fix 1973].
template <Layer L>
RANKINE_HD double middle_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x,
                                  const Vec3d& target_normal) {
  constexpr double orbits[2][2] = {
      {0.47014206410511509, 0.13239415278850619},  // corner weight, weight
      {0.10128650732345634, 0.12593918054482715}};
  const Vec3d area_normal = 0.5 * cross(b - a, c - a);
  const double area = norm(area_normal);
  const Vec3d normal = area > 0.0 ? area_normal / area : area_normal;
  const Vec3d sum = a + b + c;
  double value = 0.225 * kernel<L>(x - sum / 3.0, target_normal, normal);
  for (int k = 0; k < 2; ++k) {
    const double outer = orbits[k][0], rest = 1.0 - 3.0 * outer;
    const double three = kernel<L>(x - (outer * sum + rest * a), target_normal, normal) +
                         kernel<L>(x - (outer * sum + rest * b), target_normal, normal) +
                         kernel<L>(x - (outer * sum + rest * c), target_normal, normal);
    value += orbits[k][1] * three;
  }
  return area * value;
}

template <Layer L>
RANKINE_HD double middle_integral(const PanelShape<double>& panel, const Vec3d& x,
                                  const Vec3d& target_normal) {
  const Vec3d* c = panel.corner;
  double value = middle_triangle<L>(c[0], c[1], c[2], x, target_normal);
  if (panel.corners == 4) value += middle_triangle<L>(c[0], c[2], c[3], x, target_normal);
  return value;
}

}  // namespace detail

/// Entry (target, panel) of the near-field matrix of layer L.
template <Layer L>
RANKINE_HD double near_entry(const NearEntryView& view, std::int64_t target, std::int64_t panel) {
  const Vec3d x = view.centroid[target], target_normal = view.normal[target];
  const Vec3d apart = x - view.centroid[panel];
  const double middle = view.middle_radius[panel];
  const bool own = target == panel;
  const double accurate = dot(apart, apart) < middle * middle
                              ? detail::exact_integral<L>(view.shape[panel], x, target_normal, own)
                              : detail::middle_integral<L>(view.shape[panel], x, target_normal);
  double counted = 0.0;
  for (int k = 0; k < view.nodes; ++k) {
    const std::int64_t node = panel * view.nodes + k;
    counted += view.far_weights[node] *
               detail::kernel<L>(x - view.far_points[node], target_normal, view.far_normals[node]);
  }
  return accurate - counted;
}

}  // namespace rankine::bem
