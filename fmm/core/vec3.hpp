// Three-vectors shared by host and device code.
// Lengths are in metres unless a box-relative unit is named.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  RANKINE_HD constexpr T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  RANKINE_HD constexpr const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }

  RANKINE_HD constexpr Vec3& operator+=(const Vec3& b) {
    return *this = {x + b.x, y + b.y, z + b.z};
  }
  RANKINE_HD constexpr Vec3& operator-=(const Vec3& b) {
    return *this = {x - b.x, y - b.y, z - b.z};
  }
  RANKINE_HD constexpr Vec3& operator*=(T s) { return *this = {x * s, y * s, z * s}; }

  RANKINE_HD friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  RANKINE_HD friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  RANKINE_HD friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  RANKINE_HD friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
  RANKINE_HD friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
  RANKINE_HD friend constexpr Vec3 operator/(const Vec3& a, T s) {
    return {a.x / s, a.y / s, a.z / s};
  }
  RANKINE_HD friend constexpr bool operator==(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

/// The components of all vectors, one after the other.
inline std::span<double> as_doubles(std::span<Vec3d> vectors) {
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  return {reinterpret_cast<double*>(vectors.data()), 3 * vectors.size()};
}
inline std::span<const double> as_doubles(std::span<const Vec3d> vectors) {
  return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

template <class T>
RANKINE_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
RANKINE_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
RANKINE_HD T norm(const Vec3<T>& a) {
  return std::sqrt(dot(a, a));
}

template <class T>
RANKINE_HD Vec3<T> normalized(const Vec3<T>& a) {
  return a / norm(a);
}

RANKINE_HD inline bool is_finite(const Vec3d& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace rankine
