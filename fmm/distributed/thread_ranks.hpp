// Several processes played by threads of this one: for tests, and for programs with several devices
// that do not use MPI.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine {

class ThreadRanks {
 public:
  /// Loops of a rank run on `threads` threads.
  ThreadRanks(int ranks, int threads);
  ~ThreadRanks();

  int size() const;
  /// Calls work(communicator) on one thread per rank at once and waits for all of them.
  /// Communicators live as long as this object. If some ranks throw, the others stop with Stopped
  /// at their next collective call, and the exception of the lowest rank is rethrown.
  void run(const std::function<void(Communicator&)>& work);

 private:
  class Board;
  class Rank;

  int threads_;
  std::unique_ptr<Board> board_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace rankine
