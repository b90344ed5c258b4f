#include "rankine/gpu/sums/device_sizes.hpp"

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/gpu/sums/translation_tiles.hpp"

namespace rankine::gpu {
namespace {

constexpr double index = 4.0, vector = 3.0 * sizeof(double);

double real_bytes(fmm::Precision precision) {
  return precision == fmm::Precision::float64 ? sizeof(double) : sizeof(float);
}

}  // namespace

double operator_bytes(const OperatorSize& size) {
  const double real = real_bytes(size.precision), rhs = size.rhs;
  const double source = index + 6.0 * real + rhs * real * (size.dipoles ? 4.0 : 1.0);
  const double target = index + 3.0 * real + rhs * real * (size.gradient ? 4.0 : 1.0);
  // Near ranges, translation columns and blocks: about 13 near and 60 far boxes of a box.
  const double lists = 13.0 * (2.0 * index + 3.0 * real) + 60.0 * 2.0 * index;
  const double padded = padded_coefficients(size.order);
  const double expansions = 2.0 * rhs * padded * real;
  // 56 matrices of M2L, most of them of a lower order than the expansions.
  const double matrices = 32.0 * padded * padded * real;
  const double tree = size.order > 0 ? size.boxes * (lists + expansions) + matrices : 0.0;
  return size.sources * source + size.targets * target + tree;
}

double near_field_bytes(double panels, double entries) {
  return entries * (sizeof(double) + index) + panels * 8.0;
}

double integration_bytes(double panels, int nodes) {
  const double panel = sizeof(bem::PanelShape<double>) + 2.0 * vector + 2.0 * sizeof(double);
  return panels * (panel + nodes * (2.0 * vector + sizeof(double)));
}

}  // namespace rankine::gpu
