// The field of a point with a charge and a dipole along its normal at r = x - y, without the factor
// 1/(4 pi):
//
//   single      += w / |r|
//   dbl         += w n.r / |r|^3
//   grad single -= w r / |r|^3
//   grad dbl    += w (n / |r|^3 - 3 (n.r) r / |r|^5)
//
// Coincident points contribute nothing. Host and device.
#pragma once

#include "rankine/bem/panels/integral_set.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/reciprocal_root.hpp"
#include "rankine/fmm/core/select.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Adds the selected terms of a point with this `weight`.
template <IntegralSet wanted, class T>
RANKINE_HD void add_point(const Vec3<T>& r, const Vec3<T>& normal, T weight,
                          PanelIntegrals<T>& sum) {
  const T r2 = dot(r, r);
  const auto apart = r2 > T(0);
  if (!any(apart)) return;
  const T inverse = select(apart, reciprocal_root(r2), T(0));
  const T single = weight * inverse;
  const T inverse2 = inverse * inverse;
  const T cubic = single * inverse2;
  if constexpr (wanted.single) sum.single += single;
  if constexpr (wanted.grad_single) sum.grad_single -= r * cubic;
  if constexpr (wanted.dbl || wanted.grad_dbl) {
    const T dbl = dot(normal, r) * cubic;
    if constexpr (wanted.dbl) sum.dbl += dbl;
    if constexpr (wanted.grad_dbl) sum.grad_dbl += normal * cubic - r * (T(3) * inverse2 * dbl);
  }
}

}  // namespace rankine::bem
