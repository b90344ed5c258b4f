// The processes of a run: those started together by an MPI launcher, or this one alone. All read
// the case and execute the same steps; the first process writes the log and the results.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/summary.hpp"
#include "cases/signal_watch.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::cases {

/// Exists from the beginning of main() to its end; one object at a time.
class SharedRun {
 public:
  /// Throws InputError if a launcher started several processes and this build has no MPI: each
  /// process would solve the whole case.
  SharedRun(int* argc, char*** argv);
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;
};

/// The default number of threads of a process: the processors to which the launcher has bound it,
/// or else its share of those of the machine. 0: no launcher, use the usual default.
int threads_of_process();

/// All processes of this run.
Communicator& processes();
/// The number of this process among those of the same machine.
int rank_on_machine();
inline bool is_shared() { return processes().size() > 1; }
inline bool is_first_process() { return processes().rank() == 0; }

/// For the log: "3 processes".
std::string show_processes();

/// The Krylov solver of PETSc for all processes. PETSc starts at the first call and ends with the
/// SharedRun. Throws InputError if this build has no module with PETSc.
bem::KrylovMethod petsc_method();

/// The exit code after an error; all processes end with it. The first process reports the error, or
/// this one if the first has not failed.
int end_after(const std::exception& error, const std::string& work);

/// Whether any process has received a signal to stop. Collective.
bool stop_wanted(const SignalWatch& watch);

/// Throws Stopped, in all processes, if stop_wanted().
void stop_if_wanted(const SignalWatch& watch);

/// "processes" of summary.json: minimum, mean and maximum over all processes of the seconds of each
/// phase and of the bytes sent by MPI so far. Collective.
Json describe_processes(const std::vector<std::pair<std::string, double>>& seconds);

/// The text of the first process, which has no zeros, in all processes. Collective.
std::string of_first_process(const std::string& text);

/// Throws DeviceError if the processes have different values. `what`: their name in the message.
/// Collective.
void require_same(const std::string& value, const std::string& what);

}  // namespace rankine::cases
