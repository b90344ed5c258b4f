// How many points probes have, counted without making any.
#pragma once

#include <vector>

#include "cases/input/case.hpp"

namespace rankine::cases {

/// Grid points along one axis: one more than cells, and a single layer where the extent is zero.
inline int axis_point_count(const ProbeInput& probe, int axis) {
  return probe.size[axis] == 0.0 ? 1 : probe.cells[axis] + 1;
}

inline double probe_point_count(const ProbeInput& probe) {
  if (probe.kind == ProbeKind::points) return static_cast<double>(probe.points.size());
  if (probe.kind == ProbeKind::line) return probe.count;
  double count = 1.0;
  for (int axis = 0; axis < 3; ++axis) count *= axis_point_count(probe, axis);
  return count;
}

inline double probe_point_count(const std::vector<ProbeInput>& probes) {
  double count = 0.0;
  for (const ProbeInput& probe : probes) count += probe_point_count(probe);
  return count;
}

}  // namespace rankine::cases
