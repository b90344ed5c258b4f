// Memory of a solve before it begins: what can be counted on its panels, times measured bytes.
#pragma once

#include <cstddef>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

struct SolveSize {
  double panels = 0.0;
  double sources = 0.0;       ///< quadrature nodes of the far field
  double near_entries = 0.0;  ///< of one near-field matrix
  double columns = 1.0;       ///< strengths per source; a gradient counts as one more
  double probe_points = 0.0;
  double probe_sources = 0.0;    ///< quadrature nodes of the evaluation at probe points
  bool preconditioned = false;   ///< by inverses of patches
  bool second_operator = false;  ///< for relaxed products or mixed precision
};

struct Memory {
  double host = 0.0, device = 0.0;  ///< bytes, largest
};

/// Memory of a solve that runs on the processor (no device memory) or on a device, within 30 % of
/// the peaks that were measured on spheres and ellipsoids of 2e4 to 1e7 panels.
Memory memory_of(const SolveSize& size, bem::MemorySpace place);

/// Sources and near entries are those of a sample of the panels; nothing of their number is
/// allocated. `probe_points` (0: none) are evaluated afterwards.
SolveSize measure(const bem::Panels& panels, const bem::FlowOptions& options, double probe_points);

/// Panels of a sphere in a stream, solved with every default, that fit into so much memory of the
/// host or the device.
double panels_that_fit(double bytes, bem::MemorySpace place);

/// About `count` of the panels, evenly spread over their order, with the area of all.
bem::Panels sample(const bem::Panels& panels, std::size_t count);

}  // namespace rankine::cases
