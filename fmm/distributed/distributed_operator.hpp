// The operator over several processes (fmm/distributed/communicator.hpp). Each gives some of the
// sources and asks for sums at some of the targets; numbers of points may differ, and be 0.
//
// Points go to the processes that own their part of space (fmm/distributed/partition.hpp), each of
// which builds the tree that its targets need (fmm/distributed/essential_tree.hpp). One apply sends
// strengths to their owners, then the strengths of halos and the expansions of boxes to those that
// need them, and results back. All functions are collective: all processes call them with the same
// kinds of strengths and results and the same `rhs`. Results have the same bits each time for the
// same number of processes.
//
// The interface is that of fmm/operator.hpp. For up to 2^17 points in all the promise is the same,
// since orders are chosen for the same points as in one process. For more points they are chosen
// for a sample of 2^17 points, as many from each of its boxes.
#pragma once

#include <memory>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Strengths and results are on the host. `options` are the same in all processes; `processes`
/// must outlive the operator. Throws as make_cpu_operator does, in all processes if in one.
std::unique_ptr<Operator> make_distributed_operator(Communicator& processes, const Points& points,
                                                    const Options& options);

/// The same sums where every process gives all points and strengths and gets all results; each
/// computes a part. A program whose other work is not distributed then runs in several processes as
/// in one.
std::unique_ptr<Operator> make_replicated_operator(Communicator& processes, const Points& points,
                                                   const Options& options);

}  // namespace rankine::fmm
