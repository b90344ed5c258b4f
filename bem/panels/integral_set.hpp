// The integrals over a panel that layers use, and selections of them.
#pragma once

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Without the factor 1/(4 pi): int 1/r dA, int n.r/r^3 dA and their gradients with respect to x.
template <class T>
struct PanelIntegrals {
  T single{}, dbl{};
  Vec3<T> grad_single{}, grad_dbl{};

  RANKINE_HD PanelIntegrals& operator+=(const PanelIntegrals& other) {
    single += other.single;
    dbl += other.dbl;
    grad_single += other.grad_single;
    grad_dbl += other.grad_dbl;
    return *this;
  }
};

/// Which of the integrals are computed; the others are zero.
struct IntegralSet {
  bool single = false, dbl = false, grad_single = false, grad_dbl = false;

  constexpr bool edge_logarithms() const { return single || grad_single; }
  constexpr bool solid_angle() const { return single || dbl || grad_single; }
};

inline constexpr IntegralSet all_integrals{true, true, true, true};

}  // namespace rankine::bem
