// Forecast of the memory of a solve: counts derived from its panels, times measured bytes.
#pragma once

#include <cstddef>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

struct SolveSize {
  double panels = 0.0;
  double sources = 0.0;       ///< quadrature nodes of the far field
  double near_entries = 0.0;  ///< entries of one near-field matrix
  double columns = 1.0;       ///< strengths per source; a gradient counts as one more
  double probe_points = 0.0;
  double probe_sources = 0.0;    ///< quadrature nodes of the evaluation at probe points
  double patch = 0.0;            ///< entries of a row of the preconditioner; 0: none
  bool second_operator = false;  ///< for relaxed products or mixed precision
};

struct Memory {
  double host = 0.0, device = 0.0;  ///< bytes, peak
};

/// Memory of a solve on the processor (no device memory) or on a device, within 30 % of peaks
/// measured on spheres and ellipsoids of 2e4 to 1e7 panels.
Memory memory_of(const SolveSize& size, bem::MemorySpace place);

/// Counts for these panels. Sources and near entries are counted on a sample, so that no large
/// array is allocated. `probe_points`: evaluated after the solve; 0: none. `wakes`: whether there
/// are any.
SolveSize measure(const bem::Panels& panels, const bem::FlowOptions& options, double probe_points,
                  bool wakes = false);

/// The number of panels of a sphere in a stream, solved with every default, that fit into `bytes`
/// of host or device memory.
double panels_that_fit(double bytes, bem::MemorySpace place);

/// About `count` panels at equal intervals of their order, scaled to the total area.
bem::Panels sample(const bem::Panels& panels, std::size_t count);

}  // namespace rankine::cases
