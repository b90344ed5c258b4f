// Processes started by MPI. Built if MPI is found (library rankine_mpi).
#pragma once

#include <memory>

#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine {

/// Initialises MPI and finalises it. A program may create one session only.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  /// During stack unwinding by an exception it ends all processes, since the others may wait for
  /// this one.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// The communicator of all processes. Only the thread that created the session may use it.
  Communicator& processes() { return *processes_; }
  /// The rank of this process among those on the same machine, and their number.
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
