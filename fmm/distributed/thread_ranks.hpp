// Several processes played by threads of this one: for tests, and for programs with several devices
// that do not use MPI.
#pragma once

#include <functional>

#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine {

/// Calls work(communicator) on `ranks` threads at once, each with its own rank, and waits for all
/// of them. Loops of a rank run on `threads` threads. If some ranks throw, the others stop with
/// Stopped at their next collective call, and the first exception of the lowest rank is rethrown.
void run_thread_ranks(int ranks, int threads, const std::function<void(Communicator&)>& work);

}  // namespace rankine
