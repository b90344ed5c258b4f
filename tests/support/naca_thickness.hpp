// Sections of 4 digits.
#pragma once

#include <cmath>

namespace rankine::testing {

/// Half the thickness of a section of thickness `t`, its trailing edge closed.
inline double half_thickness(double t, double x) {
  return 5.0 * t *
         (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * std::pow(x, 3) -
          0.1036 * std::pow(x, 4));
}

}  // namespace rankine::testing
