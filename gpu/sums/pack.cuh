// A pair of values: with it a thread evaluates harmonics at two points and loads every factor only
// once.
#pragma once

#include "rankine/fmm/harmonics.hpp"

namespace rankine::gpu {

template <class T>
struct Pack2 {
  using Scalar = T;

  T a{}, b{};

  __device__ friend Pack2 operator+(Pack2 x, Pack2 y) { return {x.a + y.a, x.b + y.b}; }
  __device__ friend Pack2 operator-(Pack2 x, Pack2 y) { return {x.a - y.a, x.b - y.b}; }
  __device__ friend Pack2 operator*(Pack2 x, Pack2 y) { return {x.a * y.a, x.b * y.b}; }
  __device__ friend Pack2 operator+(Pack2 x, T s) { return {x.a + s, x.b + s}; }
  __device__ friend Pack2 operator*(Pack2 x, T s) { return {x.a * s, x.b * s}; }
  __device__ Pack2& operator+=(Pack2 y) { return *this = *this + y; }
};

template <class T>
__device__ __forceinline__ Pack2<T> inverse_root(Pack2<T> x) {
  return {fmm::inverse_root(x.a), fmm::inverse_root(x.b)};
}

}  // namespace rankine::gpu
