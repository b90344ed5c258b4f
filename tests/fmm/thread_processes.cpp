#include "tests/support/ranks.hpp"
#include "tests/support/thread_ranks.hpp"

namespace rankine::testing {

void on_processes(const std::function<void(Communicator&)>& work) {
  for (const int ranks : {1, 2, 3, 5, 8}) ThreadRanks(ranks, 1).run(work);
}

}  // namespace rankine::testing
