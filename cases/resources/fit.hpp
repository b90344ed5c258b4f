// Whether a solve fits into memory, decided before anything large is allocated.
#pragma once

#include <string>

#include "cases/input/case.hpp"
#include "cases/resources/memory_model.hpp"

namespace rankine::cases {

/// Memory that is free now, bytes.
struct Room {
  double host = 0.0, device = 0.0;
  std::string device_name;
};

struct Verdict {
  bem::MemorySpace place = bem::MemorySpace::host;  ///< where to solve
  std::string warning;                              ///< what the user should know; empty: nothing
  std::string refusal;  ///< why it cannot be solved there, what is missing and what to change
};

/// Judges a solve that would run at `wanted`. The device refuses what clearly exceeds it, because
/// estimates err by up to a third; where the backend was chosen automatically and the host has the
/// memory, the host takes over. The host never refuses: it may swap,
/// or have memory that it does not show.
Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const Room& room);

}  // namespace rankine::cases
