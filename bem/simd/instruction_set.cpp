// Sums over nodes and integrals of panels for one instruction set. Compiled once per set, with RANKINE_SIMD naming it (see
// cmake/RankineTargets.cmake).
#include <array>
#include <utility>

#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_lanes.hpp"
#include "rankine/fmm/simd/pack.hpp"

namespace rankine::bem::RANKINE_SIMD {
namespace {

using P = fmm::RANKINE_SIMD::Pack<double>;

template <std::size_t index>
void subtract(const NodeArrays& n, std::int64_t begin, std::int64_t end, const Vec3d& at,
              double scale, PanelIntegrals<double>& sum) {
  constexpr bool single = (index & 1) != 0, dbl = (index & 2) != 0, grad_single = (index & 4) != 0,
                 grad_dbl = (index & 8) != 0;
  P of_single{}, of_dbl{}, slope[3]{}, slope_dbl[3]{};
  const P x = P::broadcast(at.x), y = P::broadcast(at.y), z = P::broadcast(at.z);
  const double inverse_scale = 1.0 / scale, inverse_square = inverse_scale * inverse_scale;
  for (std::int64_t k = begin; k < end; k += P::width) {
    const int count = static_cast<int>(end - k);
    const P dx = x - P::load_first(n.x + k, count), dy = y - P::load_first(n.y + k, count),
            dz = z - P::load_first(n.z + k, count);
    // Scaled, since what roots begin with has the range of float.
    const P r2 = (dx * dx + dy * dy + dz * dz) * inverse_square;
    const P inverse =
        fmm::RANKINE_SIMD::where_nonzero(r2, fmm::RANKINE_SIMD::rsqrt<fmm::Root::precise>(r2)) *
        inverse_scale;
    const P charge = P::load_first(n.weight + k, count) * inverse;  // 0 beyond the last
    if constexpr (single) of_single += charge;
    if constexpr (dbl || grad_single || grad_dbl) {
      const P inverse2 = inverse * inverse, cubic = charge * inverse2;
      if constexpr (grad_single) {
        slope[0] += dx * cubic;
        slope[1] += dy * cubic;
        slope[2] += dz * cubic;
      }
      if constexpr (dbl || grad_dbl) {
        const P nx = P::load_first(n.nx + k, count), ny = P::load_first(n.ny + k, count),
                nz = P::load_first(n.nz + k, count);
        const P dipole = (dx * nx + dy * ny + dz * nz) * cubic;
        if constexpr (dbl) of_dbl += dipole;
        if constexpr (grad_dbl) {
          const P thrice = dipole * inverse2 * 3.0;
          slope_dbl[0] += nx * cubic - dx * thrice;
          slope_dbl[1] += ny * cubic - dy * thrice;
          slope_dbl[2] += nz * cubic - dz * thrice;
        }
      }
    }
  }
  if constexpr (single) sum.single -= of_single.sum();
  if constexpr (dbl) sum.dbl -= of_dbl.sum();
  if constexpr (grad_single)
    sum.grad_single += Vec3d{slope[0].sum(), slope[1].sum(), slope[2].sum()};
  if constexpr (grad_dbl)
    sum.grad_dbl -= Vec3d{slope_dbl[0].sum(), slope_dbl[1].sum(), slope_dbl[2].sum()};
}

template <std::size_t... index>
constexpr std::array<SubtractNodes, integral_sets> table(std::index_sequence<index...>) {
  return {&subtract<index>...};
}

template <bool curved, std::size_t... index>
constexpr std::array<IntegrateTriangles, integral_sets> triangle_table(
    std::index_sequence<index...>) {
  return {integrate_or_null<index, curved>()...};
}

}  // namespace

IntegrateTriangles integrate_triangles(std::size_t index, bool curved) {
  constexpr auto every = std::make_index_sequence<integral_sets>();
  static constexpr auto flat_ones = triangle_table<false>(every),
                        curved_ones = triangle_table<true>(every);
  return (curved ? curved_ones : flat_ones)[index];
}

SubtractNodes subtract_nodes(std::size_t index) {
  static constexpr auto all = table(std::make_index_sequence<integral_sets>());
  return all[index];
}

}  // namespace rankine::bem::RANKINE_SIMD
