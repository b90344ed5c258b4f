// The solid angle of a triangle from the vectors A, B, C between the point of view and its corners:
//
//   tan(omega / 2) = A.(B x C) / (a b c + (A.B) c + (B.C) a + (C.A) b) ,   a = |A|, ...
//
// [A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983), eq. (8)]
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine {

/// In (-2 pi, 2 pi], with the sign of `triple` = A.(B x C); lengths and scalar products besides.
template <class T>
RANKINE_HD T triangle_solid_angle(T triple, T a, T b, T c, T ab, T bc, T ca) {
  return T(2) * std::atan2(triple, a * b * c + ab * c + bc * a + ca * b);
}

}  // namespace rankine
