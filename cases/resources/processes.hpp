// The processes that share a run: those that a launcher of MPI has started together, or this one
// alone. All of them read the case and take the same steps; the first one writes the log and the
// results.
#pragma once

#include <exception>
#include <string>

#include "cases/signal_watch.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::cases {

/// From the beginning of main() to its end; one object at a time.
class SharedRun {
 public:
  /// Throws InputError if a launcher started several processes and this build has no MPI: each of
  /// them would solve the whole case.
  SharedRun(int* argc, char*** argv);
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;
};

/// The default number of threads of a process: one per processor to which the launcher has bound
/// it, or else its share of the processors of the machine. 0: as without a launcher.
int threads_of_process();

/// All processes of this run.
Communicator& processes();
/// The number of this process among those of the same machine.
int rank_on_machine();
inline bool is_shared() { return processes().size() > 1; }
inline bool is_first_process() { return processes().rank() == 0; }

/// "3 processes", for the log.
std::string show_processes();

/// The exit code after an error: all processes end with it. The error is reported by the first
/// process, or by this one if the first one has not failed.
int end_after(const std::exception& error, const std::string& work);

/// Whether a signal has asked some process to stop. Collective.
bool stop_wanted(const SignalWatch& watch);

/// Throws Stopped, in all processes, if stop_wanted().
void stop_if_wanted(const SignalWatch& watch);

/// Throws DeviceError if processes have different values, which they must not have: `what` names
/// them. Collective.
void require_same(const std::string& value, const std::string& what);

}  // namespace rankine::cases
