// The pair term of the Biot-Savart law with a core: the velocity that a vortex particle of strength
// Gamma (its vorticity times its volume) and core radius sigma induces at a target, with r = x - y
// and rho = r/sigma:
//
//   u            = f1 Gamma x r ,                                f1 = q(rho)/r^3
//   du_i / dx_j  = f1 eps_iaj Gamma_a + f2 (Gamma x r)_i r_j ,   f2 = f1'(r)/r
//
// [SG08]. Without a core, q = 1, u is the curl of Gamma/r. The factor 1/(4 pi) is not applied. As
// with every kernel, a pair at distance zero contributes nothing: u = 0 there anyway, and the term
// f1(0) eps_iaj Gamma_a of du/dx is omitted.
#pragma once

#include <type_traits>

#include "rankine/fmm/kernels/elementary.hpp"
#include "rankine/fmm/kernels/pair_terms.hpp"

namespace rankine::fmm {

// Cores of regularised vortices: the fraction q(rho) of a vortex within rho = r/sigma, with sigma
// the core radius, and
//
//   slope = rho q'(rho) - 3 q(rho)
//
// with which f1 = q/r^3 and f2 = f1'(r)/r = slope/r^5. [SG08] Stock & Gharakhani, Toward efficient
// GPU-accelerated N-body simulations (2008).
//
//   exponential   q = 1 - exp(-rho^3)
//   gaussian      q = erf(rho/sqrt(2)) - sqrt(2/pi) rho exp(-rho^2/2)
//
// For any number type. q and slope are accurate to some units in the last place, also for rho -> 0,
// where they behave like rho^3 and rho^6 or rho^5. For rho of at least `beyond` they are exactly 1
// and -3, as without a core. In float a device uses the quotients q/rho^3 and slope/rho^5, which
// are finite everywhere, with errors of 5e-6.

template <class T>
struct CoreFactors {
  T q, slope;
};

#ifdef __CUDA_ARCH__
/// f1 and f2 of a vortex with core radius sigma.
struct CoreQuotients {
  float f1, f2;
};
#endif

struct ExponentialCore {
  static constexpr double beyond = 4.31;

  template <class T>
  RANKINE_HD_INLINE static CoreFactors<T> factors(const T& rho) {
    using S = Scalar<T>;
    const T t = lesser(rho * rho * rho, T{} + S(80));  // e^-80 is below rounding
    const Exponential<T> e(-t);
    // rho q'/3 - q = t e^-t - (1 - e^-t); the terms of first order in t cancel exactly.
    const T rest = e.reduced + e.quadratic;
    const T third = e.scale * (((t + e.reduced) + e.quadratic) + rest * t) - (-e.scale + S(1));
    return {e.fall(), third * S(3)};
  }

#ifdef __CUDA_ARCH__
  /// At the squared distance r2.
  __device__ static CoreQuotients quotients(float r2, float inverse_core) {
    constexpr float least = 1e-12f, near_edge = 0.25f;
    constexpr float of_q[] = {1.0f, -1.0f / 2, 1.0f / 6, -1.0f / 24, 1.0f / 120, -1.0f / 720},
                    of_slope[] = {-3.0f / 2, 1.0f, -3.0f / 8, 1.0f / 10, -1.0f / 48};
    constexpr float per_power_of_two = 1.44269504f;
    const float s = fmaxf(r2 * (inverse_core * inverse_core), least), v = hardware_inverse_root(s),
                rho = s * v, t = fminf(s * rho, 80.0f),
                e = hardware_power_of_two(-per_power_of_two * t);
    const float q = 1.0f - e, u = v * inverse_core, u2 = u * u, u3 = u * u2;
    const float core2 = inverse_core * inverse_core, core3 = core2 * inverse_core;
    if (t < near_edge)
      return {core3 * polynomial(of_q, t), core3 * core2 * (rho * polynomial(of_slope, t))};
    return {q * u3, 3.0f * (t * e - q) * (u3 * u2)};
  }
#endif
};

struct GaussianCore {
  static constexpr double beyond = 10.0;

  template <class T>
  RANKINE_HD_INLINE static CoreFactors<T> factors(const T& rho_given) {
    using S = Scalar<T>;
    constexpr S root = S(0.797884560802865355879892);  // sqrt(2/pi)
    const T rho = lesser(rho_given, T{} + S(beyond)), z = rho * rho;
    const T e = Exponential<T>(z * S(-0.5)).value();
    const T w = rho * z * e * root;  // rho q'
    const auto near = near_factors(z, w);
    const T q = -(e * (rho * root + scaled_complement(rho))) + S(1);
    const T slope = w - q * S(3);
    const T edge = T{} + S(near_edge);
    return {select(rho < edge, near.q, q), select(rho < edge, near.slope, slope)};
  }

#ifdef __CUDA_ARCH__
  /// At the squared distance r2. With s = rho^2, q/rho^3 = (s + w)^(-3/2) where w = exp(-s/2) p(s),
  /// so that slope/rho^5 = -3 (s + w)^(-5/2) (1 + w'), where w' = exp(-s/2) times another
  /// polynomial. Both are minimax polynomials on [0, 28], beyond which the exponential is
  /// negligible; relative errors of the results are 1.3e-6 and 2e-6.
  __device__ static CoreQuotients quotients(float r2, float inverse_core) {
    constexpr double last = 28.0, unit = 0.5 * 1.44269504088896340736;  // e^(-s/2) = 2^(-unit s)
    constexpr Scaled<8> of_w({2.41798595, 0.692620775, 0.0785337423, 0.00337719171, -0.000109156663,
                              -2.01991941e-05, 1.49456632e-06, -2.99842573e-08},
                             unit, unit);
    constexpr Scaled<10> of_slope(
        {-0.516403289, -0.189097194, -0.02929829, -0.00206771003, -4.69365393e-05, 1.54911775e-05,
         -1.90163721e-07, -5.26090679e-08, 2.69520989e-09, -3.96109175e-11},
        unit, -3.0);
    constexpr float root_of_unit = 0.849321800f, end = static_cast<float>(last * unit);
    const float scaled = inverse_core * root_of_unit, s = r2 * (scaled * scaled),
                e = hardware_power_of_two(-s), z = fminf(s, end);
    const float u = hardware_inverse_root(fmaf(e, polynomial(of_w.value, z), s)) * scaled,
                u2 = u * u, f1 = u * u2;
    return {f1, f1 * u2 * fmaf(e, polynomial(of_slope.value, z), -3.0f)};
  }
#endif

 private:
  static constexpr double near_edge = 1.5;

#ifdef __CUDA_ARCH__
  /// factor sum_i c_i (unit x)^i.
  template <int n>
  struct Scaled {
    float value[n] = {};

    constexpr Scaled(const double (&c)[n], double unit, double factor) {
      for (int i = 0; i < n; ++i, factor /= unit) value[i] = static_cast<float>(factor * c[i]);
    }
  };
#endif

  /// q = w sum_n z^n/(2n + 3)!!, for rho up to near_edge.
  template <class T>
  RANKINE_HD_INLINE static CoreFactors<T> near_factors(const T& z, const T& w) {
    using S = Scalar<T>;
    constexpr int terms = sizeof(S) == sizeof(float) ? 10 : 19;
    struct Coefficients {
      S value[terms], slope[terms];
    };
    constexpr Coefficients c = [] {
      Coefficients made{};
      double inverse = 1.0 / 3.0;
      for (int n = 0; n < terms; ++n) {
        made.value[n] = static_cast<S>(inverse);
        inverse /= 2.0 * n + 5.0;
        made.slope[n] = static_cast<S>(-3.0 * inverse);
      }
      return made;
    }();
    return {w * polynomial(c.value, z), w * z * polynomial(c.slope, z)};
  }

  /// exp(rho^2/2) erfc(rho/sqrt(2)) for rho from near_edge to `beyond`: interpolated in 1/(rho + 4)
  /// at Chebyshev's points, to 3e-10 (float) and 2e-18 (double).
  template <class T>
  RANKINE_HD_INLINE static T scaled_complement(const T& rho) {
    using S = Scalar<T>;
    const T y = S(18.1176470588235294) / (rho + S(4)) + S(-2.29411764705882353);
    if constexpr (sizeof(S) == sizeof(float)) {
      constexpr S c[] = {
          S(0.193289469584525287),   S(0.153366408601971506),    S(0.0496030922630742215),
          S(0.0126254920596488917),  S(0.00238866520396049237),  S(0.000286241713921000248),
          S(6.62502805033950551e-6), S(-4.16972934674608662e-6), S(-4.91056866946307044e-7)};
      return polynomial(c, y);
    } else {
      constexpr S c[] = {0.193289469584525287,     0.153366410711795662,    0.0496030927820154806,
                         0.012625463885770148,     0.00238865826970966069,  0.000286343558800466474,
                         6.65013812441212542e-6,   -4.30683625052719791e-6, -5.24996615807365925e-7,
                         6.28283055035319618e-8,   1.57444310581256352e-8,  -1.31591983646827089e-9,
                         -4.56316592149187275e-10, 4.52441897964254623e-11, 1.32268512575496706e-11,
                         -1.73691953892030022e-12, -3.19656353677379595e-13};
      return polynomial(c, y);
    }
  }
};

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

  /// `u` is 1/r, or 0 to exclude the pair; `inverse_core` is 1/sigma. In float on a device only the
  /// test u = 0 is used.
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
