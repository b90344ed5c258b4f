// The locally essential tree of a process [Warren & Salmon 1993]: the boxes with its own points,
// and those boxes of other processes that are on the lists of its boxes.
//
// A box whose points all belong to one process is sent by it to the processes with targets in a
// neighbour of its parent, as an expansion; a leaf also, with its sources, to those with targets in
// a neighbour of itself. Those are all boxes that lists can hold (fmm/interaction_lists.hpp): a box
// on a list touches, or its parent touches, a box of the same level with targets. A box that is cut
// by the partition is in all processes, and its expansion is the sum of theirs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/distributed/partition.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// The expansions that processes exchange between M2M and the passes that use them.
class ExpansionExchange {
 public:
  ExpansionExchange() = default;
  ExpansionExchange(Communicator& processes, Route route, std::vector<std::int32_t> sent,
                    std::vector<std::int32_t> received, std::vector<std::int32_t> shared);

  /// Boxes whose expansions are sent, arrive, and are summed over the processes.
  const std::vector<std::int32_t>& sent() const { return sent_; }
  const std::vector<std::int32_t>& received() const { return received_; }
  const std::vector<std::int32_t>& shared() const { return shared_; }

  /// Sends rows of `width` values: sent[i] is that of box sent()[i]. Sums `shared`, for those
  /// boxes, over all processes. Collective.
  template <class T>
  void run(int width, std::span<const T> sent, std::span<T> received, std::span<T> shared) const {
    route_.forward(*processes_, sent.data(), width, received.data());
    std::vector<double> sums(shared.begin(), shared.end());
    processes_->sum(sums);
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i] = static_cast<T>(sums[i]);
  }

 private:
  Communicator* processes_ = nullptr;
  Route route_;  ///< of sent() by position
  std::vector<std::int32_t> sent_, received_, shared_;
};

struct EssentialTree {
  /// Own sources come first, then those of halo boxes. Targets are the own ones only, also if they
  /// are the own sources (Octree::shared_points).
  Octree tree;
  Route halo;  ///< own sources that are in the halos of others; arrivals are those of this one
  ExpansionExchange exchange;
};

/// The boxes of a process that others need.
struct Exports {
  struct Message {
    int part;
    std::vector<std::int32_t> boxes;  ///< parents first
    std::vector<char> with_sources;   ///< by box
  };
  std::vector<Message> messages;  ///< by part, in order
};

/// The exports of part `part`, whose points `own` has been made of. `has_targets` is by part.
Exports find_exports(const Partition& partition, const std::vector<char>& has_targets, int part,
                     const Octree& own);

/// `own` holds the points of this process, divided as its range of the partition asks. Collective.
EssentialTree essential_tree(Communicator& processes, const Partition& partition, Octree own);

}  // namespace rankine::fmm
