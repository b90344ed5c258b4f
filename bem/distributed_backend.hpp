// A backend for several processes that all solve the same problem. Every process holds the panels
// and all vectors; the sums of the fast multipole method and, on the host, the near corrections are
// divided among the processes, and each process gets all results. So everything above the backend
// runs in several processes as in one, and its decisions are the same in all of them.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::fmm {
class PartBackend;
}

namespace rankine::bem {

/// `local` does the work of one process; its sums are those of `parts`. `processes` and `parts`
/// must outlive the result. All processes must call its functions in the same order.
std::unique_ptr<Backend> make_distributed_backend(std::unique_ptr<Backend> local,
                                                  Communicator& processes,
                                                  const fmm::PartBackend& parts);

}  // namespace rankine::bem
