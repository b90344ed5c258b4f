// The locally essential tree of a process [Warren & Salmon 1993]: the boxes with its own points,
// and the boxes of other processes that are on the interaction lists of its boxes.
//
// If all points of a box belong to one process, this process sends the expansion of the box to all
// processes with targets in a neighbour of its parent; the sources of a leaf also to those with
// targets in a neighbour of the leaf. Lists can contain no other boxes (fmm/interaction_lists.hpp):
// a box on a list, or its parent, touches a box of the same level with targets. A box that the
// partition divides among processes exists in all of them, and its expansion is the sum of theirs.
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

  /// Boxes whose expansions are sent, received, and summed over the processes.
  const std::vector<std::int32_t>& sent() const { return sent_; }
  const std::vector<std::int32_t>& received() const { return received_; }
  const std::vector<std::int32_t>& shared() const { return shared_; }

  /// Exchanges rows of `width` values: row i of `sent` is that of box sent()[i]. Sums the rows of
  /// `shared` over all processes. Collective.
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
  /// The process's own sources come first, then those of halo boxes. Targets are only its own, also
  /// if sources and targets are the same points (Octree::shared_points).
  Octree tree;
  Route halo;  ///< own sources in the halos of others; the arrivals are the halo of this process
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

/// The exports of part `part`; `own` is the tree of its points. `has_targets`: per part.
Exports find_exports(const Partition& partition, const std::vector<char>& has_targets, int part,
                     const Octree& own);

/// `own`: the tree of the points of this process, divided as its range of the partition requires.
/// Collective.
EssentialTree essential_tree(Communicator& processes, const Partition& partition, Octree own);

}  // namespace rankine::fmm
