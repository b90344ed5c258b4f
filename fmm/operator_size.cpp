#include "rankine/fmm/operator_size.hpp"

namespace rankine::fmm {

double real_bytes(Precision precision) {
  return precision == Precision::float64 ? sizeof(double) : sizeof(float);
}

bool sums_both_ways(const OperatorSize& size) {
  return size.shared && size.order > 0 && !size.dipoles && !size.vortices && size.rhs == 1;
}

double cpu_operator_bytes(const OperatorSize& size) {
  const double real = real_bytes(size.precision);
  const double columns = (size.vortices ? 3.0 : 1.0) * size.rhs;
  // Order, position, normal or core, strengths.
  const double source =
      4.0 + (size.vortices ? 4.0 : 6.0) * real + real * (size.dipoles ? 4.0 * size.rhs : columns);
  const double target = 4.0 + 3.0 * real;
  // Boxes, lists and schedules of translations, and two expansions.
  const double box = 1000.0 + 2.0 * columns * size.order * size.order * real;
  // Sums that wait for leaves of another group: found to be 0.4 to 1 of the points.
  const double halo = sums_both_ways(size) ? (size.gradient ? 4.0 : 1.0) * real : 0.0;
  return size.sources * source + size.targets * (target + halo) +
         (size.order > 0 ? size.boxes * box : 0.0);
}

}  // namespace rankine::fmm
