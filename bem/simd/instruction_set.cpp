// Sums over nodes, integrals of panels and fits around them for one instruction set. Compiled once per set, with
// RANKINE_SIMD naming it (see cmake/RankineTargets.cmake).
#include <array>
#include <utility>

#include "rankine/bem/simd/functions.hpp"
#include "rankine/bem/simd/panel_lanes.hpp"
#include "rankine/bem/simd/plane_lanes.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::bem::RANKINE_SIMD {
namespace {

using P = fmm::RANKINE_SIMD::Pack<double>;

/// A register of nodes.
struct Nodes {
  P x, y, z, nx, ny, nz, weight;
};

RANKINE_INLINE Nodes load_nodes(const NodeArrays& n, std::int64_t k) {
  return {P::load(n.x + k),  P::load(n.y + k),  P::load(n.z + k),     P::load(n.nx + k),
          P::load(n.ny + k), P::load(n.nz + k), P::load(n.weight + k)};
}

static_assert(node_group == 4);

/// One group, where a register may hold two: twice, without weight the second time.
RANKINE_INLINE Nodes load_group(const NodeArrays& n, std::int64_t k) {
#if defined(__AVX512F__)
  using Group [[gnu::vector_size(node_group * sizeof(double)), gnu::aligned(sizeof(double)),
                gnu::may_alias]] = double;
  const auto group = [k](const double* values) {
    return *reinterpret_cast<const Group*>(values + k);
  };
  const auto twice = [&](const double* values) {
    const Group g = group(values);
    return P(__builtin_shufflevector(g, g, 0, 1, 2, 3, 0, 1, 2, 3));
  };
  const P once(__builtin_shufflevector(group(n.weight), Group{}, 0, 1, 2, 3, 4, 5, 6, 7));
  return {twice(n.x), twice(n.y), twice(n.z), twice(n.nx), twice(n.ny), twice(n.nz), once};
#else
  return load_nodes(n, k);
#endif
}

template <IntegralSet wanted>
struct NodeSums {
  P single{}, dbl{}, slope[3]{}, slope_dbl[3]{};

  RANKINE_INLINE void add(const Nodes& n, const P& x, const P& y, const P& z,
                          const P& inverse_scale, const P& inverse_square) {
    const P dx = x - n.x, dy = y - n.y, dz = z - n.z;
    // Scaled, since what roots begin with has the range of float.
    const P r2 = (dx * dx + dy * dy + dz * dz) * inverse_square;
    const P inverse =
        fmm::RANKINE_SIMD::where_nonzero(r2, fmm::RANKINE_SIMD::rsqrt<fmm::Root::precise>(r2)) *
        inverse_scale;
    const P charge = n.weight * inverse;
    if constexpr (wanted.single) single += charge;
    if constexpr (wanted.dbl || wanted.grad_single || wanted.grad_dbl) {
      const P inverse2 = inverse * inverse, cubic = charge * inverse2;
      if constexpr (wanted.grad_single) {
        slope[0] += dx * cubic;
        slope[1] += dy * cubic;
        slope[2] += dz * cubic;
      }
      if constexpr (wanted.dbl || wanted.grad_dbl) {
        const P dipole = (dx * n.nx + dy * n.ny + dz * n.nz) * cubic;
        if constexpr (wanted.dbl) dbl += dipole;
        if constexpr (wanted.grad_dbl) {
          const P thrice = dipole * inverse2 * 3.0;
          slope_dbl[0] += n.nx * cubic - dx * thrice;
          slope_dbl[1] += n.ny * cubic - dy * thrice;
          slope_dbl[2] += n.nz * cubic - dz * thrice;
        }
      }
    }
  }

  RANKINE_INLINE void add_to(PanelIntegrals<double>& sum) const {
    if constexpr (wanted.single) sum.single += single.sum();
    if constexpr (wanted.dbl) sum.dbl += dbl.sum();
    for (int axis = 0; axis < 3; ++axis) {
      if constexpr (wanted.grad_single) sum.grad_single[axis] -= slope[axis].sum();
      if constexpr (wanted.grad_dbl) sum.grad_dbl[axis] += slope_dbl[axis].sum();
    }
  }
};

template <std::size_t index>
void sum_over(const NodeArrays& n, std::int64_t begin, std::int64_t end, const Vec3d& at,
              double scale, PanelIntegrals<double>& sum) {
  NodeSums<set_of(index)> sums;
  const P x = P::broadcast(at.x), y = P::broadcast(at.y), z = P::broadcast(at.z);
  const P inverse = P::broadcast(1.0 / scale), inverse_square = inverse * inverse;
  std::int64_t k = begin;
  for (; k + P::width <= end; k += P::width)
    sums.add(load_nodes(n, k), x, y, z, inverse, inverse_square);
  if (k < end) sums.add(load_group(n, k), x, y, z, inverse, inverse_square);
  sums.add_to(sum);
}

template <std::size_t... index>
constexpr SimdFunctions every_function(std::index_sequence<index...>) {
  return {.sum_nodes = {&sum_over<index>...},
          .integrate_flat = {integrate_or_null<index, false>()...},
          .integrate_curved = {integrate_or_null<index, true>()...},
          .fit_planes = {&fit_planes<1>, &fit_planes<2>, &fit_planes<3>},
          .predict_origins = &predict_origins};
}

}  // namespace

const SimdFunctions& simd_functions() {
  static constexpr SimdFunctions all = every_function(std::make_index_sequence<integral_sets>());
  return all;
}

}  // namespace rankine::bem::RANKINE_SIMD
