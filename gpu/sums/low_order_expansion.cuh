// A multipole expansion of low order at the targets of a thread. With x the position relative to
// the centre of its box in units of the box edge, u = 1/|x| and y = u^2 x, an expansion of order p
// is
//
//   phi      = u (H_0 + y . C)
//   grad phi = u^3 A - u (H_0 + y . C + 2 y . A) y
//
//   H_n = sum_m M_n^m R_n^m(y) ,  G_n = grad H_n ,  A = sum G_n ,  C = sum G_n / n
//
// with n = 1 ... p - 1 in the sums, since H_n is homogeneous of degree n: n H_n = y . G_n. A needs
// 3 (2n - 1) multiplications per degree; the derivatives of S_n^m would need 3 (2n + 3). The
// harmonics are scaled so that their recursion has one constant,
//
//   r_n^m = y_z r_{n-1}^m - kappa u^2 r_{n-2}^m ,  kappa = ((n-1)^2 - m^2) / ((2n-1)(2n-3))
//
// (the harmonics of fmm/harmonics.hpp without their factors). The coefficients contain the factors.
#pragma once

#include <type_traits>

#include "rankine/gpu/sums/derivative_map.hpp"
#include "rankine/gpu/sums/pair_tile.cuh"

namespace rankine::gpu {
namespace {

template <int begin, int end, class Work>
__device__ __forceinline__ void unrolled(Work&& work) {
  if constexpr (begin < end) {
    work(std::integral_constant<int, begin>());
    unrolled<begin + 1, end>(work);
  }
}

template <class T>
constexpr int in_quad = 16 / sizeof(T);
template <class T>
struct alignas(16) Quad {
  T value[in_quad<T>];
};

/// The number of 16-byte words for the coefficients, of `size` bytes each.
constexpr int quads_of(int order, bool gradient, int size) {
  const int per_quad = 16 / size;
  return (low_order_size(order, gradient) + per_quad - 1) / per_quad;
}

/// Reads coefficients in shared memory sequentially, 16 bytes at a time.
template <class T>
struct CoefficientReader {
  const Quad<T>* from;
  Quad<T> quad;

  template <int i>
  __device__ __forceinline__ T get() {
    if constexpr (i % in_quad<T> == 0) quad = from[i / in_quad<T>];
    return quad.value[i % in_quad<T>];
  }
};

/// Appends the harmonics of degree n to those of lower degrees.
template <int n, class T>
__device__ __forceinline__ void add_degree(const T (&y)[3], T u2, T* r) {
  if constexpr (n == 0) {
    r[0] = T(1);
    return;
  } else {
    constexpr int at = n * n + n, below = (n - 1) * (n - 1) + n - 1,
                  twice_below = (n - 2) * (n - 2) + n - 2;
    unrolled<1 - n, n>([&](auto order) {
      constexpr int m = order;
      r[at + m] = y[2] * r[below + m];
      if constexpr (m > 1 - n && m < n - 1) {
        constexpr double kappa =
            ((n - 1.0) * (n - 1.0) - double(m) * m) / ((2.0 * n - 1.0) * (2.0 * n - 3.0));
        r[at + m] -= (T(kappa) * u2) * r[twice_below + m];
      }
    });
    const T c = r[below + n - 1];
    if constexpr (n == 1) {
      r[at + 1] = y[0];
      r[at - 1] = y[1];
    } else {
      const T s = r[below - n + 1];
      r[at + n] = y[0] * c - y[1] * s;
      r[at - n] = y[0] * s + y[1] * c;
    }
  }
}

/// Adds the expansion of order p at x[i], in units of its box edge, to sums[i][0] and, with a
/// gradient, to sums[i][1 ... 3].
template <int p, bool gradient, class T, int targets>
__device__ __forceinline__ void add_expansion(const T* coefficients, const T (&x)[targets][3],
                                              T (&sums)[targets][gradient ? 4 : 1]) {
  CoefficientReader<T> reader{reinterpret_cast<const Quad<T>*>(coefficients)};
  T y[targets][3], u[targets], u2[targets];
  T r[targets][p * p];
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    u[i] = inverse_distance<Coincidence::excluded, Root::precise>(
        fma(x[i][0], x[i][0], fma(x[i][1], x[i][1], x[i][2] * x[i][2])));
    u2[i] = u[i] * u[i];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) y[i][axis] = x[i][axis] * u2[i];
  }
  const T constant = reader.template get<0>();
  if constexpr (!gradient) {
    T h[targets];
#pragma unroll
    for (int i = 0; i < targets; ++i) h[i] = constant;
    unrolled<0, p>([&](auto degree) {
      constexpr int n = degree;
#pragma unroll
      for (int i = 0; i < targets; ++i) add_degree<n>(y[i], u2[i], r[i]);
      unrolled<(n == 0 ? 1 : n * n), (n + 1) * (n + 1)>([&](auto k) {
        const T c = reader.template get<k>();
#pragma unroll
        for (int i = 0; i < targets; ++i) h[i] = fma(c, r[i][k], h[i]);
      });
    });
#pragma unroll
    for (int i = 0; i < targets; ++i) sums[i][0] = fma(u[i], h[i], sums[i][0]);
  } else {
    T a[targets][3] = {}, c[targets][3] = {};
    unrolled<1, p>([&](auto degree) {
      constexpr int n = degree;
      T g[targets][3] = {};
#pragma unroll
      for (int i = 0; i < targets; ++i) add_degree<n - 1>(y[i], u2[i], r[i]);
      unrolled<(n - 1) * (n - 1), n * n>([&](auto k) {
        unrolled<0, 3>([&](auto axis) {
          const T value = reader.template get<1 + 3 * k + axis>();
#pragma unroll
          for (int i = 0; i < targets; ++i) g[i][axis] = fma(value, r[i][k], g[i][axis]);
        });
      });
#pragma unroll
      for (int i = 0; i < targets; ++i) {
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          a[i][axis] += g[i][axis];
          c[i][axis] = fma(T(1.0 / n), g[i][axis], c[i][axis]);
        }
      }
    });
#pragma unroll
    for (int i = 0; i < targets; ++i) {
      const auto along = [&](const T(&v)[3], T start) {
        return fma(y[i][0], v[0], fma(y[i][1], v[1], fma(y[i][2], v[2], start)));
      };
      const T value = along(c[i], constant), twice = T(2) * along(a[i], T(0));
      const T u3 = u[i] * u2[i], inward = -u[i] * (value + twice);
      sums[i][0] = fma(u[i], value, sums[i][0]);
#pragma unroll
      for (int axis = 0; axis < 3; ++axis)
        sums[i][1 + axis] = fma(u3, a[i][axis], fma(inward, y[i][axis], sums[i][1 + axis]));
    }
  }
}

}  // namespace
}  // namespace rankine::gpu
