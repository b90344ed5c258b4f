// The closed forms of bem/panels over SIMD lanes (bem/simd/panel_sums.hpp). Only
// instruction_set.cpp includes this file.
#pragma once

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/simd/lanes.hpp"
#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_sums.hpp"

namespace rankine::bem::RANKINE_SIMD {

RANKINE_INLINE Vec3<Lanes> load(const double (&parts)[3][TriangleLanes::most], int from) {
  return {Lanes::load(parts[0] + from), Lanes::load(parts[1] + from), Lanes::load(parts[2] + from)};
}
RANKINE_INLINE void store(const Vec3<Lanes>& vector, double (&parts)[3][TriangleLanes::most],
                          int from) {
  vector.x.store(parts[0] + from);
  vector.y.store(parts[1] + from);
  vector.z.store(parts[2] + from);
}

template <IntegralSet wanted, bool curved>
void integrate(const TriangleLanes& triangles, int count, const Vec3d& x, IntegralLanes& result) {
  const Vec3<Lanes> at{Lanes(x.x), Lanes(x.y), Lanes(x.z)};
  for (int from = 0; from < count; from += Lanes::width) {
    TrianglePatch<Lanes> patch;
    for (int k = 0; k < 3; ++k) {
      patch.corner[k] = load(triangles.corner[k], from);
      if constexpr (curved) patch.bulge[k] = load(triangles.bulge[k], from);
    }
    PanelIntegrals<Lanes> sum;
    if constexpr (curved) {
      bem::detail::add_curved_triangle<wanted>(patch, at, false, Lanes(0.0), 1, sum);
    } else {
      bem::detail::add_flat_triangle<wanted>(patch.corner, at, false, false, sum);
    }
    if constexpr (wanted.single) sum.single.store(result.single + from);
    if constexpr (wanted.dbl) sum.dbl.store(result.dbl + from);
    if constexpr (wanted.grad_single) store(sum.grad_single, result.grad_single, from);
    if constexpr (wanted.grad_dbl) store(sum.grad_dbl, result.grad_dbl, from);
  }
}

/// The sets that bem/layers/near_entry.hpp computes together.
constexpr bool is_of_layers(const IntegralSet& set) {
  return set.dbl ? !set.grad_single && !set.grad_dbl
                 : set.single != set.grad_dbl || (set.grad_single && !set.single);
}

template <std::size_t index, bool curved>
constexpr IntegrateTriangles integrate_or_null() {
  constexpr IntegralSet wanted = set_of(index);
  if constexpr (is_of_layers(wanted)) return &integrate<wanted, curved>;
  return nullptr;
}

}  // namespace rankine::bem::RANKINE_SIMD
