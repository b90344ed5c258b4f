// Entries of near-field matrices: the accurate integral of a panel at a collocation point minus the
// sum over that panel's far-field nodes, which the fmm::Operator includes. No factor 1/(4 pi).
// Entries of several layers are computed together, since they share roots, logarithms and solid
// angles:
//
//   S: single ,   D: dbl ,   K': n_x.grad single ,   H: n_x.grad dbl
//
// with the integrals of bem/panels/panel_integrals.hpp. Host and device.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Plain pointers into Panels and Discretization, in host or device memory.
struct NearEntryView {
  const PanelShape<double>* shape;
  const QuadratureNode* middle_nodes;  ///< panels x middle_stride, from place_middle_nodes
  int middle_stride;
  const Vec3d* centroid;
  std::int64_t own;     ///< target j < own is the point of panel j
  const Vec3d* target;  ///< points and images
  const Vec3d* target_normal;
  const double* middle_radius;
  const Vec3d* far_points;
  const Vec3d* far_normals;
  const double* far_weights;
  const std::int64_t*
      first_node;  ///< panels + 1: panel j has the nodes first_node[j] .. first_node[j + 1] - 1
};

/// Nodes of the 7-point rule of degree 5 [Strang & Fix 1973] on a triangle.
inline constexpr int middle_nodes_of_triangle = 7;

/// Places the nodes of that rule on every triangle of a panel.
RANKINE_HD inline void place_middle_nodes(const PanelShape<double>& panel, QuadratureNode* out) {
  constexpr double orbits[3][2] = {{1.0 / 3.0, 0.225},  // weight of two corners, of the point
                                   {0.47014206410511509, 0.13239415278850619},
                                   {0.10128650732345634, 0.12593918054482715}};
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(panel, half);
    for (int k = 0; k < 3; ++k) {
      const double outer = orbits[k][0], rest = 1.0 - 2.0 * outer;
      for (int j = 0; j < (k == 0 ? 1 : 3); ++j) {
        const double a = j == 0 ? rest : outer, b = j == 1 ? rest : outer, c = 1.0 - a - b;
        const Vec3d area = triangle.vector_area(a, b, c);
        const double size = norm(area);
        *out++ = {triangle.point(a, b, c), size > 0.0 ? area * (1.0 / size) : area,
                  orbits[k][1] * size};
      }
    }
  }
}

/// The panel integrals that a set of layers needs.
template <Layer... layers>
inline constexpr IntegralSet integrals_of{
    .single = ((layers == Layer::single_layer) || ...),
    .dbl = ((layers == Layer::double_layer) || ...),
    .grad_single = ((layers == Layer::adjoint_double_layer) || ...),
    .grad_dbl = ((layers == Layer::hypersingular) || ...)};

namespace detail {

template <Layer layer>
RANKINE_HD double entry_of(const PanelIntegrals<double>& integrals, const Vec3d& target_normal) {
  if constexpr (layer == Layer::single_layer) return integrals.single;
  if constexpr (layer == Layer::double_layer) return integrals.dbl;
  if constexpr (layer == Layer::adjoint_double_layer) {
    return dot(target_normal, integrals.grad_single);
  }
  if constexpr (layer == Layer::hypersingular) return dot(target_normal, integrals.grad_dbl);
}

}  // namespace detail

/// The kernel of a layer for a unit charge or dipole at r = x - y.
template <Layer layer>
RANKINE_HD double point_entry(const Vec3d& r, const Vec3d& source_normal,
                              const Vec3d& target_normal) {
  constexpr IntegralSet wanted = integrals_of<layer>;
  PanelIntegrals<double> sum;
  add_point<wanted>(r, source_normal, 1.0, sum);
  return detail::entry_of<layer>(sum, target_normal);
}
RANKINE_HD inline double point_entry(Layer layer, const Vec3d& r, const Vec3d& source_normal,
                                     const Vec3d& target_normal) {
  switch (layer) {
    case Layer::single_layer:
      return point_entry<Layer::single_layer>(r, source_normal, target_normal);
    case Layer::double_layer:
      return point_entry<Layer::double_layer>(r, source_normal, target_normal);
    case Layer::adjoint_double_layer:
      return point_entry<Layer::adjoint_double_layer>(r, source_normal, target_normal);
    case Layer::hypersingular:
      return point_entry<Layer::hypersingular>(r, source_normal, target_normal);
  }
  return 0.0;
}

/// Whether a panel is so close to a target that it is integrated with closed forms. Farther panels
/// are integrated with a quadrature rule.
RANKINE_HD inline bool takes_closed_form(const NearEntryView& view, std::int64_t target,
                                         std::int64_t panel) {
  const Vec3d apart = view.target[target] - view.centroid[panel];
  const double middle = view.middle_radius[panel];
  return dot(apart, apart) < middle * middle;
}

/// Whether a target is the collocation point of a panel.
RANKINE_HD inline bool is_own(const NearEntryView& view, std::int64_t target, std::int64_t panel) {
  return target == panel && target < view.own;
}

/// The integrals of a panel at x by the 7-point rule.
template <IntegralSet wanted>
RANKINE_HD PanelIntegrals<double> middle_integrals(const NearEntryView& view, const Vec3d& x,
                                                   std::int64_t panel) {
  PanelIntegrals<double> sum;
  const QuadratureNode* node = view.middle_nodes + panel * view.middle_stride;
  const int count = middle_nodes_of_triangle * (view.shape[panel].corners - 2);
  for (int k = 0; k < count; ++k)
    add_point<wanted>(x - node[k].point, node[k].normal, node[k].weight, sum);
  return sum;
}

/// The entries (target, panel) of the near-field matrices of `layers`, in their order: `integrals`
/// minus the sums over the nodes.
template <Layer... layers>
RANKINE_HD void write_entries(const NearEntryView& view, std::int64_t target,
                              const PanelIntegrals<double>& sum, double* entries) {
  const Vec3d target_normal = view.target_normal[target];
  int k = 0;
  ((entries[k++] = detail::entry_of<layers>(sum, target_normal)), ...);
}

/// Subtracts the sum over the far nodes of a panel at x.
template <IntegralSet wanted>
RANKINE_HD void subtract_far_nodes(const NearEntryView& view, const Vec3d& x, std::int64_t panel,
                                   PanelIntegrals<double>& sum) {
  const std::int64_t end = view.first_node[panel + 1];
  for (std::int64_t node = view.first_node[panel]; node < end; ++node) {
    add_point<wanted>(x - view.far_points[node], view.far_normals[node], -view.far_weights[node],
                      sum);
  }
}

/// Writes the entries (target, panel) of the near-field matrices of `layers`, in their order.
/// `closed`: takes_closed_form().
template <bool closed, Layer... layers>
RANKINE_HD void near_entries(const NearEntryView& view, std::int64_t target, std::int64_t panel,
                             double* entries) {
  constexpr IntegralSet wanted = integrals_of<layers...>;
  const Vec3d x = view.target[target];
  PanelIntegrals<double> sum;
  if constexpr (closed) {
    sum = integrate_panel<wanted>(view.shape[panel], x, is_own(view, target, panel));
  } else {
    sum = middle_integrals<wanted>(view, x, panel);
  }
  subtract_far_nodes<wanted>(view, x, panel, sum);
  write_entries<layers...>(view, target, sum, entries);
}

/// Splits the requested layers, each at most once, into sets whose entries are computed together.
/// Calls make.operator()<layers...>(values...) for every set, with the values of its layers.
template <class Make>
void for_each_layer_set(std::span<const Layer> layers, std::span<double* const> values,
                        Make&& make) {
  assert(layers.size() == values.size());
  double* left[layer_count] = {};
  for (std::size_t k = 0; k < layers.size(); ++k) left[static_cast<int>(layers[k])] = values[k];
  const auto take = [&]<Layer... set>() {
    if (!(left[static_cast<int>(set)] && ...)) return;
    make.template operator()<set...>(left[static_cast<int>(set)]...);
    ((left[static_cast<int>(set)] = nullptr), ...);
  };
  using enum Layer;
  take.template operator()<single_layer, double_layer>();
  take.template operator()<adjoint_double_layer, single_layer>();
  take.template operator()<adjoint_double_layer, hypersingular>();
  take.template operator()<single_layer>();
  take.template operator()<double_layer>();
  take.template operator()<adjoint_double_layer>();
  take.template operator()<hypersingular>();
}

}  // namespace rankine::bem
