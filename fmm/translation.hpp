// Translations of expansions between boxes, factored as rotation, coaxial shift, rotation back
// (RCR) [WHG96; GD08 sec. 2.2.2, eqs. (16)-(19)].
//
// For a shift t (from the source's centre to the target's, in units of the edge of the source box)
// the frame is rotated so that t is along z. In this frame different m do not mix, and the shift is
// one small matrix per m:
//
//   M2L     (-1)^(n+m) (n+n')! / (K(n,m) K(n',m) |t|^(n+n'+1))
//   M2M     2^-n' K(n,m)/K(n',m) |t|^(n-n')/(n-n')! ,   n' <= n ,   t in edges of the parent
//   L2L     the transpose of M2M, times one half
//   K(n,m)  = sqrt((n-m)! (n+m)!)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

// Rotations of real solid harmonics about the y axis.
//
// With coordinates rotated by Q = R_y(-theta), which maps a vector at polar angle theta in the x-z
// half plane to the z axis,
//
//   R_n^m(Q r) = sum_m' D^n_{mm'} R_n^m'(r)
//
// D^n is orthogonal and does not mix cosine (m >= 0) and sine (m < 0) parts, hence two blocks per
// degree. Entries are computed by the recursion of Ivanic & Ruedenberg ([IR96] with the correction
// of 1998), which is stable far beyond the orders used here.

/// Blocks of D for degrees 0 ... order - 1. The cosine block of degree n is (n+1) x (n+1),
/// row-major, at cosine_at(n); the sine block, n x n for m = 1 ... n, at sine_at(n).
class RotationY {
 public:
  RotationY(int order, double cos_theta, double sin_theta);

  static int cosine_at(int n) {
    return n * (n + 1) * (2 * n + 1) / 6 + (n - 1) * n * (2 * n - 1) / 6;
  }
  static int sine_at(int n) { return cosine_at(n) + (n + 1) * (n + 1); }

  double cosine(int n, int m, int m2) const { return blocks_[cosine_at(n) + m * (n + 1) + m2]; }
  double sine(int n, int m, int m2) const { return blocks_[sine_at(n) + (m - 1) * n + m2 - 1]; }
  const std::vector<double>& blocks() const { return blocks_; }

 private:
  std::vector<double> blocks_;
};

enum class Shift { multipole_to_multipole, multipole_to_local, local_to_local };

/// The matrices of a shift by `length`, for m = 0 ... p-1 in turn: square, row-major, from degrees
/// n' = m ... p-1 to degrees n = m ... p-1.
std::vector<double> coaxial_matrices(Shift shift, double length, int order);
inline int coaxial_size(int order) { return order * (order + 1) * (2 * order + 1) / 6; }
/// Start of the matrix of m.
inline int coaxial_at(int order, int m) { return coaxial_size(order) - coaxial_size(order - m); }

/// The factors of one translation of order p in working precision. Translations share rotations of
/// the same polar angle, and matrices of the same length and order.
template <class T>
struct Translation {
  struct Rotation {
    std::vector<T> to_axis, from_axis;  ///< blocks of RotationY and of its transpose, column-major
  };

  int order = 0;
  /// cos(m phi) and sin(m phi) for m = 0 ... p-1, phi the azimuth of t.
  std::vector<T> cos_phi, sin_phi;
  std::shared_ptr<const Rotation> rotation;       ///< about y by the polar angle; p degrees or more
  std::shared_ptr<const std::vector<T>> coaxial;  ///< column-major
};

/// Translations by shifts t of these orders; empty for order 0. M2L: t in units of the box edge.
/// M2M: t from the parent's centre to the child's, in edges of the parent. L2L: the same t; the
/// result maps the parent's local expansion to the child's.
template <class T>
std::vector<Translation<T>> make_translations(Shift shift, std::span<const Vec3d> shifts,
                                              std::span<const std::int8_t> orders);

/// Offset of an octant's centre from its parent's, in units of the parent's edge.
RANKINE_HD inline Vec3d octant_offset(int octant) {
  return {octant & 1 ? 0.25 : -0.25, octant & 2 ? 0.25 : -0.25, octant & 4 ? 0.25 : -0.25};
}

/// The integer offset (target minus source) of boxes with M2L has components between -3 and 3.
inline constexpr int offset_count = 343;
RANKINE_HD constexpr int offset_index(int dx, int dy, int dz) {
  return (dx + 3) + 7 * ((dy + 3) + 7 * (dz + 3));
}
RANKINE_HD inline Vec3d offset_vector(int index) {
  return {double(index % 7 - 3), double(index / 7 % 7 - 3), double(index / 49 - 3)};
}
/// The offset_index of two boxes of one level.
RANKINE_HD inline int offset_between(const Box& target, const Box& source) {
  const auto apart = [](std::uint32_t a, std::uint32_t b) { return static_cast<int>(a - b); };
  return offset_index(apart(target.x, source.x), apart(target.y, source.y),
                      apart(target.z, source.z));
}
RANKINE_HD constexpr bool offset_is_far(int index) {
  const int x = index % 7 - 3, y = index / 7 % 7 - 3, z = index / 49 - 3;
  return x < -1 || x > 1 || y < -1 || y > 1 || z < -1 || z > 1;
}

}  // namespace rankine::fmm
