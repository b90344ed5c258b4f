// Cores of regularised vortices: the share q(rho) of a vortex that is felt at rho = r/sigma, sigma the core
// radius, and
//
//   slope = rho q'(rho) - 3 q(rho)
//
// with which f1 = q/r^3 and f2 = f1'(r)/r = slope/r^5. [SG08] Stock & Gharakhani, Toward efficient
// GPU-accelerated N-body simulations (2008).
//
//   exponential   q = 1 - exp(-rho^3)
//   gaussian      q = erf(rho/sqrt(2)) - sqrt(2/pi) rho exp(-rho^2/2)
//
// For any number type, to some units in the last place of q and slope, also for rho -> 0, where they go like
// rho^3 and rho^6 or rho^5; from `beyond` on exactly 1 and -3, the vortex without a core. In float on a device
// to 1e-6. [AS64] Abramowitz & Stegun, Handbook of mathematical functions.
#pragma once

#include <type_traits>

#include "rankine/fmm/kernels/elementary.hpp"

namespace rankine::fmm {

template <class T>
struct CoreFactors {
  T q, slope;
};

struct ExponentialCore {
  static constexpr double beyond = 4.31;

  template <class T>
  RANKINE_HD_INLINE static CoreFactors<T> factors(const T& rho) {
    using S = Scalar<T>;
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) return quick_factors(rho);
#endif
    const T t = lesser(rho * rho * rho, T{} + S(80));  // e^-80 is no more than nothing
    const Exponential<T> e(-t);
    // rho q'/3 - q = t e^-t - (1 - e^-t), whose parts of first order in t cancel exactly.
    const T rest = e.reduced + e.quadratic;
    const T third = e.scale * (((t + e.reduced) + e.quadratic) + rest * t) - (-e.scale + S(1));
    return {e.fall(), third * S(3)};
  }

#ifdef __CUDA_ARCH__
 private:
  /// In float on a device, with its own exponential, to 1e-6.
  __device__ static CoreFactors<float> quick_factors(float rho) {
    const float t = fminf(rho * rho * rho, 80.0f), e = __expf(-t);
    constexpr float near_edge = 0.25f;
    constexpr float of_q[] = {1.0f, -1.0f / 2, 1.0f / 6, -1.0f / 24, 1.0f / 120, -1.0f / 720},
                    of_slope[] = {-3.0f / 2, 1.0f, -3.0f / 8, 1.0f / 10, -1.0f / 48};
    const float q = 1.0f - e, slope = 3.0f * (t * e - q);
    const bool near = t < near_edge;
    return {near ? t * polynomial(of_q, t) : q, near ? t * t * polynomial(of_slope, t) : slope};
  }
#endif
};

struct GaussianCore {
  static constexpr double beyond = 10.0;

  template <class T>
  RANKINE_HD_INLINE static CoreFactors<T> factors(const T& rho_given) {
    using S = Scalar<T>;
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) return quick_factors(rho_given);
#endif
    constexpr S root = S(0.797884560802865355879892);  // sqrt(2/pi)
    const T rho = lesser(rho_given, T{} + S(beyond)), z = rho * rho;
    const T e = Exponential<T>(z * S(-0.5)).value();
    const T w = rho * z * e * root;  // rho q'
    const auto near = near_factors(z, w);
    const T q = -(e * (rho * root + scaled_complement(rho))) + S(1);
    const T slope = w - q * S(3);
    const T edge = T{} + S(near_edge);
    return {where_less(rho, edge, near.q, q), where_less(rho, edge, near.slope, slope)};
  }

 private:
#ifdef __CUDA_ARCH__
  /// In float on a device, with its own exponential, to 1e-6: the series below 1, beyond it the
  /// complement of the error function by [AS64, 7.1.26].
  __device__ static CoreFactors<float> quick_factors(float rho_given) {
    constexpr float root = 0.79788456f, root_half = 0.70710678f;
    const float rho = fminf(rho_given, static_cast<float>(beyond)), z = rho * rho;
    const float e = __expf(-0.5f * z), w = root * rho * z * e;
    constexpr float of_q[] = {1.0f / 3,     1.0f / 15,     1.0f / 105,    1.0f / 945,
                              1.0f / 10395, 1.0f / 135135, 1.0f / 2027025},
                    of_slope[] = {-3.0f / 15,    -3.0f / 105,    -3.0f / 945,
                                  -3.0f / 10395, -3.0f / 135135, -3.0f / 2027025};
    constexpr float of_complement[] = {0.0f,         0.254829592f,  -0.284496736f,
                                       1.421413741f, -1.453152027f, 1.061405429f};
    const float t = __fdividef(1.0f, fmaf(0.3275911f * root_half, rho, 1.0f));
    const float q = 1.0f - e * fmaf(root, rho, polynomial(of_complement, t));
    const bool near = rho < 1.0f;
    return {near ? w * polynomial(of_q, z) : q,
            near ? w * z * polynomial(of_slope, z) : w - 3.0f * q};
  }
#endif

  static constexpr double near_edge = 1.5;

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

  /// exp(rho^2/2) erfc(rho/sqrt(2)) for rho from near_edge to `beyond`: interpolated in 1/(rho + 4) at Chebyshev's
  /// points, to 3e-10 (float) and 2e-18 (double).
  template <class T>
  RANKINE_HD_INLINE static T scaled_complement(const T& rho) {
    using S = Scalar<T>;
    const T y = reciprocal(rho + S(4)) * S(18.1176470588235294) + S(-2.29411764705882353);
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

}  // namespace rankine::fmm
