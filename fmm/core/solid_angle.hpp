// The solid angle of a triangle, from the vectors A, B, C between the point and its corners, and
// their lengths a, b, c [OS83 eq. (8)]:
//
//   tan(omega / 2) = A.(B x C) / (a b c + (A.B) c + (B.C) a + (C.A) b)
//
// [OS83] Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983).
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

/// In (-2 pi, 2 pi], with the sign of `triple` = A.(B x C); ab = A.B, bc = B.C, ca = C.A.
template <class T>
RANKINE_HD T triangle_solid_angle(T triple, T a, T b, T c, T ab, T bc, T ca) {
  using std::atan2;
  return T(2) * atan2(triple, a * b * c + ab * c + bc * a + ca * b);
}

}  // namespace rankine
