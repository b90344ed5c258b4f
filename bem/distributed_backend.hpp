// A backend for several processes that all solve the same problem. Every process holds the panels
// and all vectors; the sums of the fast multipole method and the near corrections are divided among
// the processes, and each process gets all results. So everything above the backend runs in several
// processes as in one, and its decisions are the same in all of them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::bem {

/// The work that processes share, in the memory space of their backends. All functions are
/// collective.
class SharedWork {
 public:
  virtual ~SharedWork() = default;
  virtual Communicator& processes() const = 0;
  /// How data are sent between processes, for the log.
  virtual std::string way() const = 0;
  /// All processes pass the same points and strengths, and receive all results.
  virtual std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                                       const fmm::Options& options) = 0;
  /// `all` holds `count` values per process, by rank. Every process fills in its own values, and
  /// receives those of the others.
  virtual void gather(double* all, std::size_t count) = 0;
  /// Replaces values by their sums over all processes.
  virtual void sum(std::span<double> values) = 0;
};

/// Shared work on processors; `processes` must outlive it.
std::unique_ptr<SharedWork> make_host_work(Communicator& processes);

/// `local` does the work that is not shared. Matrices must not outlive the backend. All processes
/// must call its functions in the same order.
std::unique_ptr<Backend> make_distributed_backend(std::unique_ptr<Backend> local,
                                                  std::unique_ptr<SharedWork> shared);

}  // namespace rankine::bem
