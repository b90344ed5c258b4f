// Dual numbers v + d eps, eps^2 = 0. The harmonics at a dual point are
//
//   R(y + mu eps) = R(y) + (mu.grad R(y)) eps
//
// so that one evaluation yields what a charge and what a dipole contribute to an expansion.
#pragma once

#include "rankine/gpu/sums/pack.cuh"

namespace rankine::gpu {

template <class T>
struct Dual {
  T v{}, d{};

  __device__ friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  __device__ friend Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  __device__ friend Dual operator-(Dual a) { return {-a.v, -a.d}; }
  __device__ friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  __device__ friend Dual operator*(Dual a, T s) { return {a.v * s, a.d * s}; }
};

template <class T>
__device__ __forceinline__ Dual<T> inverse_root(Dual<T> x) {
  const T u = inverse_root(x.v);
  return {u, T(-0.5) * u * u * u * x.d};
}

}  // namespace rankine::gpu
