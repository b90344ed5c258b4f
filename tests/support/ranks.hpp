// Runs a test in several processes: threads play them, or MPI has started them.
#pragma once

#include <functional>

#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::testing {

/// Calls work(processes) in all processes: with threads for several numbers of processes,
/// with MPI for its own.
void on_processes(const std::function<void(Communicator&)>& work);

}  // namespace rankine::testing
