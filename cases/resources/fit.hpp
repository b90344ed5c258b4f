// Decides whether a solve fits into memory before anything large is allocated.
#pragma once

#include <string>

#include "cases/input/case.hpp"
#include "cases/resources/solve_size.hpp"

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

/// Judges a solve that would run at `wanted`. A solve that exceeds the free memory is warned of;
/// one that exceeds it by more than the error of forecasts, a third, is refused. If the backend was
/// chosen automatically and the host has enough memory, the verdict is to solve on the host.
Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const Room& room);

}  // namespace rankine::cases
