// Whether a solve fits into memory, decided before anything large is allocated.
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
  std::string warning;                              ///< what the user should know; empty: nothing
  std::string refusal;  ///< why it cannot be solved there, what is missing and what to change
};

/// Judges a solve that would run at `wanted`. What exceeds memory is warned of, what exceeds it
/// clearly is refused, because estimates err by up to a third. Where the backend was chosen
/// automatically and the host has the memory, the host takes over from a device.
Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const Room& room);

}  // namespace rankine::cases
