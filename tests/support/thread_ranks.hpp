// Several ranks as threads of this process.
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
  /// Calls work(communicator) on one thread per rank at the same time and waits for all of them.
  /// Communicators exist as long as this object. If a rank throws, the others throw Stopped at
  /// their next collective call, and the exception of the lowest rank is rethrown.
  void run(const std::function<void(Communicator&)>& work);

 private:
  class Board;
  class Rank;

  int threads_;
  std::unique_ptr<Board> board_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace rankine
