// Decides whether a solve fits into memory, before large allocations.
#pragma once

#include <string>

#include "cases/input/case.hpp"
#include "cases/resources/solve_size.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

/// Free memory, bytes.
struct FreeMemory {
  double host = 0.0, device = 0.0;
  std::string device_name;
  double swap = 0.0;  ///< free swap of the host, in addition to `host`
};

struct Verdict {
  bem::MemorySpace place = bem::MemorySpace::host;  ///< where to solve
  std::string warning;                              ///< for the user; empty: none
  std::string refusal;  ///< the missing memory and a remedy; empty: it fits
};

/// Judges a solve planned in the memory space `wanted`. The verdict is a warning if the solve
/// exceeds the free memory, and a refusal if it exceeds it by more than a third, the error of
/// forecasts. With an automatic choice of backend and enough host memory, the verdict is to solve
/// on the host.
Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const FreeMemory& available);

// Forecasts the time of a solve.

struct Estimate {
  double matvec = 0.0;   ///< seconds per product
  double seconds = 0.0;  ///< from reading the mesh to the fields, with `iterations` products
  int iterations = 10;   ///< assumed
};

/// Seconds on this machine, accurate to a factor of two. The far field is built and applied for a
/// sample of the panels and scaled; near entries and the rest are counted and multiplied by
/// measured rates.
Estimate estimate(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                  const SolveSize& size, bem::Backend& backend);

}  // namespace rankine::cases
