// A backend for several processes that all solve the same problem. Every process stores the panels.
// Fast multipole sums, near corrections and Krylov vectors are divided among the processes; each
// process receives all results of products. So the code that uses the backend runs in every process
// as in a single one, and makes the same decisions in all of them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/distributed/distributed_operator.hpp"

namespace rankine::bem {

/// The work that processes share, in the memory space of their backends. All functions are
/// collective.
class SharedWork {
 public:
  virtual ~SharedWork() = default;
  virtual Communicator& processes() const = 0;
  /// How processes exchange data, for the log.
  virtual std::string transport() const = 0;
  /// All processes pass the same targets, and receive all results. They pass the same sources and
  /// strengths, or their own.
  virtual std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                                       const fmm::Options& options,
                                                       fmm::SourcesOf given) = 0;
  /// Whether processes may pass their own sources.
  virtual bool divides_sources() const = 0;
  /// `all` has `count` values per process, in the order of ranks. Every process sets its own values
  /// and receives those of the others.
  virtual void gather(double* all, std::size_t count) = 0;
  /// Replaces values by their sums over all processes.
  virtual void sum(std::span<double> values) = 0;
};

/// Shared work on CPUs; `processes` must outlive it.
std::unique_ptr<SharedWork> make_host_work(Communicator& processes);

/// `local` does the work that is not shared. Matrices must not outlive the backend. All processes
/// must call its functions in the same order.
std::unique_ptr<Backend> make_distributed_backend(std::unique_ptr<Backend> local,
                                                  std::unique_ptr<SharedWork> shared);

}  // namespace rankine::bem
