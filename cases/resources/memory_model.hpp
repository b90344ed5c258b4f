// Memory of a solve as a function of its sizes, on the host and on the device.
//
// What is held longest is the sum of what its owners count; what comes and goes in set-up and output
// is a share on top. Within a tenth or two of the largest memory found on spheres
// of 2e4 to 1e7 panels, and above it.
#pragma once

#include <optional>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/fmm/operator_size.hpp"

namespace rankine::cases {

/// Trees have fewer boxes where leaves hold more points: both backends' numbers of boxes.
struct FarSize {
  fmm::OperatorSize on_host, on_device;
};

struct SolveSize {
  double panels = 0.0;
  double nodes = 0.0;         ///< far-field nodes per panel, in the mean
  double balls = 1.0;         ///< of near targets per panel, in the mean
  double near_entries = 0.0;  ///< of one near-field matrix
  bem::Formulation formulation = bem::Formulation::green;
  int patch = 0;    ///< panels in a patch of the preconditioner; 0: none
  int columns = 0;  ///< Krylov vectors expected
  FarSize far;
  std::optional<FarSize> inner;   ///< second far field of mixed precision and relaxation
  std::optional<FarSize> probes;  ///< far field of the evaluation off the surface
  double probe_nodes = 0.0;       ///< far-field nodes per panel there
  double probe_balls = 1.0;
};

struct Memory {
  double host = 0.0, device = 0.0;  ///< bytes, largest
};

/// Memory of a solve that runs on the processor (no device memory) or on a device.
Memory memory_of(const SolveSize& size, bem::MemorySpace place);

}  // namespace rankine::cases
