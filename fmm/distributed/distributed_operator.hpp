// The operator for several processes (fmm/distributed/communicator.hpp). Each process has some of
// the sources and some of the targets; their numbers may differ, and may be 0.
//
// Points go to the processes that own their part of space (fmm/distributed/partition.hpp), each of
// which builds the tree that its targets need (fmm/distributed/essential_tree.hpp). An apply sends
// strengths to their owners, then strengths of halos and expansions of boxes to the processes that
// need them, and finally results back. All functions are collective: all processes call them with
// the same kinds of strengths and results and the same `rhs`. Results have the same bits each time
// for the same number of processes.
//
// The interface is that of fmm/operator.hpp. For up to 2^17 points in total the promised accuracy
// is the same, since orders are chosen for the same points as in one process. For more points they
// are chosen from a sample of 2^17 points.
#pragma once

#include <memory>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Strengths and results are on the host. `options` are the same in all processes; `processes` must
/// outlive the operator. Throws as make_cpu_operator does; if one process throws, all do.
std::unique_ptr<Operator> make_distributed_operator(Communicator& processes, const Points& points,
                                                    const Options& options);

/// The sources that a process passes to make_replicated_operator().
enum class SourcesOf {
  all,     ///< those of all processes
  process  ///< its own
};

/// The same sums if every process passes all targets and receives all results; each computes a
/// part. So a program whose other work is not distributed can run in several processes as in one.
/// Strengths are those of the sources that are passed.
std::unique_ptr<Operator> make_replicated_operator(Communicator& processes, const Points& points,
                                                   const Options& options,
                                                   SourcesOf given = SourcesOf::all);

}  // namespace rankine::fmm
