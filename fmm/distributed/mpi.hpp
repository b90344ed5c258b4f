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
  /// The number of this process among those of the same machine, and how many these are.
  int local_rank() const { return local_rank_; }
  int local_size() const { return local_size_; }
  /// Ends all processes immediately with this exit code.
  [[noreturn]] void abort(int exit_code) const;

 private:
  int exceptions_;
  int local_rank_ = 0, local_size_ = 1;
  std::unique_ptr<Communicator> processes_;
};

}  // namespace rankine
