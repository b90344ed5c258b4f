// Runs the tests in every process that MPI has started; only the first one reports success.
#include <gtest/gtest.h>

#include "rankine/fmm/distributed/mpi.hpp"
#include "tests/support/ranks.hpp"

namespace rankine::testing {
namespace {

MpiSession* session = nullptr;

}  // namespace

void on_processes(const std::function<void(Communicator&)>& work) { work(session->processes()); }

}  // namespace rankine::testing

int main(int argc, char** argv) {
  rankine::MpiSession session(&argc, &argv);
  rankine::testing::session = &session;
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (session.processes().rank() > 0) delete listeners.Release(listeners.default_result_printer());
  double failed = RUN_ALL_TESTS() == 0 ? 0.0 : 1.0;
  session.processes().maximum(std::span(&failed, 1));
  return failed > 0.0 ? 1 : 0;
}
