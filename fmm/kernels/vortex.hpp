// The pair term of the Biot-Savart law with a core: the velocity that a vortex particle of strength
// Gamma (its vorticity times its volume) and core radius sigma induces at a target, with r = x - y
// and rho = r/sigma (fmm/kernels/vortex_cores.hpp):
//
//   u            = f1 Gamma x r ,                                f1 = q(rho)/r^3
//   du_i / dx_j  = f1 eps_iaj Gamma_a + f2 (Gamma x r)_i r_j ,   f2 = f1'(r)/r
//
// [SG08]. Without a core, q = 1, u is the curl of Gamma/r. The factor 1/(4 pi) is not applied. As
// with every kernel, a pair at distance zero contributes nothing: u = 0 there anyway, and the term
// f1(0) eps_iaj Gamma_a of du/dx is omitted.
#pragma once

#include "rankine/fmm/kernels/pair_terms.hpp"
#include "rankine/fmm/kernels/vortex_cores.hpp"

namespace rankine::fmm {

template <class Core>
struct Vortex {
  static constexpr bool vortices = true;

  template <class T>
  struct Pair {
    T r[3];
    T f1, f2;
  };

  template <class T>
  RANKINE_HD_INLINE static T under_root(const T& r2) {
    return r2;
  }

  /// `u` is 1/r, or 0 to exclude the pair; `inverse_core` is 1/sigma. In float on a device only
  /// whether u is 0 matters.
  template <class T, class S>
  RANKINE_HD_INLINE static Pair<T> pair(const T& rx, const T& ry, const T& rz, const T& u,
                                        const S& inverse_core) {
    const T r2 = rx * rx + ry * ry + rz * rz;
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) {
      const CoreQuotients at = Core::quotients(r2, inverse_core);
      return {{rx, ry, rz}, u > 0.0f ? at.f1 : 0.0f, u > 0.0f ? at.f2 : 0.0f};
    }
#endif
    const T u2 = u * u, u3 = u * u2;
    const auto [q, slope] = Core::factors(T(r2 * u * inverse_core));
    return {{rx, ry, rz}, q * u3, slope * (u3 * u2)};
  }

  /// Adds the contribution of the vortex, scalars of T, to sum[0 ... running_sums(terms)); there is
  /// no charge. For du/dx it adds the f2 term, without its last component, followed by f1 Gamma.
  template <PairTerms terms, class T, class S>
  RANKINE_HD_INLINE static void add(const Pair<T>& at, const S&, const S* vortex, T* sum) {
    const T* const r = at.r;
    for (int i = 0; i < 3; ++i) {
      const int j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
      const T across = r[k] * vortex[j] - r[j] * vortex[k];
      sum[i] = multiply_add(at.f1, across, sum[i]);
      if constexpr (terms.derivatives > 1) {
        T* const row = sum + velocity_gradient_at + 3 * i;
        const T outward = at.f2 * across;
        for (int axis = 0; axis < (i < 2 ? 3 : 2); ++axis)
          row[axis] = multiply_add(outward, r[axis], row[axis]);
        T& turning = sum[components(terms) + i];
        turning = multiply_add(at.f1, vortex[i], turning);
      }
    }
  }

  /// Turns the sums of add() into velocity and gradient. div u = 0 gives the last component.
  template <PairTerms terms, class T>
  RANKINE_HD_INLINE static void finish(T* sum) {
    if constexpr (terms.derivatives > 1) {
      T* const gradient = sum + velocity_gradient_at;
      const T* const turning = sum + components(terms);
      gradient[8] = -(gradient[0] + gradient[4]);
      for (int i = 0; i < 3; ++i) {
        const int j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
        gradient[3 * i + j] = gradient[3 * i + j] - turning[k];
        gradient[3 * i + k] = gradient[3 * i + k] + turning[j];
      }
    }
  }
};

}  // namespace rankine::fmm
