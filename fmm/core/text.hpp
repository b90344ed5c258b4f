// Makes texts of numbers and vectors, for messages.
#pragma once

#include <ostream>
#include <sstream>
#include <string>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine {

/// "(x, y, z)"
inline std::ostream& operator<<(std::ostream& to, const Vec3d& v) {
  return to << "(" << v.x << ", " << v.y << ", " << v.z << ")";
}

/// The parts one after the other; numbers have up to six digits.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

}  // namespace rankine
