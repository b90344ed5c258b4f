// The error of a vector relative to a reference, in the 2-norm:  |a - b| / |b|.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace rankine {

/// |a| if the reference is zero, infinite if the sizes differ.
inline double relative_error(std::span<const double> value, std::span<const double> reference) {
  if (value.size() != reference.size()) return std::numeric_limits<double>::infinity();
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    difference += (value[i] - reference[i]) * (value[i] - reference[i]);
    size += reference[i] * reference[i];
  }
  return std::sqrt(size > 0.0 ? difference / size : difference);
}

}  // namespace rankine
