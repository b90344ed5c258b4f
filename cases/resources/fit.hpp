// Decides whether a solve fits into memory before anything large is allocated.
#pragma once

#include <string>

#include "cases/input/case.hpp"
#include "cases/resources/solve_size.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

/// Memory that is free now, bytes.
struct Room {
  double host = 0.0, device = 0.0;
  std::string device_name;
  double swap = 0.0;  ///< of the host, beyond `host`
};

struct Verdict {
  bem::MemorySpace place = bem::MemorySpace::host;  ///< where to solve
  std::string warning;                              ///< for the user; empty: none
  std::string refusal;  ///< what is missing and what to change; empty: it fits
};

/// Judges a solve that would run at `wanted`. The verdict warns of a solve that exceeds the free
/// memory, and refuses one that exceeds it by more than the error of forecasts, a third. If the
/// backend was chosen automatically and the host has enough memory, the verdict is to solve on the
/// host.
Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const Room& room);

// Forecasts the time of a solve.

struct Estimate {
  double matvec = 0.0;   ///< seconds of one product
  double seconds = 0.0;  ///< from the mesh to the fields, with `iterations` products
  int iterations = 10;   ///< assumed
};

/// Seconds on this machine, within a factor of two: the far field is built and applied for a part
/// of the panels and scaled; near entries and the rest are counted and multiplied by measured
/// rates.
Estimate estimate(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                  const SolveSize& size, bem::Backend& backend);

}  // namespace rankine::cases
