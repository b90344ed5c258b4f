// Processes that MPI has started. Built where MPI is found (library rankine_mpi).
#pragma once

#include <memory>

#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine {

/// MPI from the beginning to the end of a program. At most one may exist, once in a program.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  /// If the stack is unwound by an exception, all processes are ended, since the others may wait
  /// for this one.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// All processes. Only the thread that made the session may use it.
  Communicator& processes() { return *processes_; }
  /// The number of this process among those of the same machine.
  int local_rank() const;
  /// Ends all processes at once with this exit code.
  [[noreturn]] void abort(int exit_code) const;

 private:
  int exceptions_;
  std::unique_ptr<Communicator> processes_;
};

/// True if a launcher of MPI (mpirun, srun) has started this process together with others.
bool started_by_mpi();

}  // namespace rankine
