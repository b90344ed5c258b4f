#include "rankine/fmm/distributed/essential_tree.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace rankine::fmm {
namespace {

/// A box as it is sent.
struct SentBox {
  std::uint64_t key;  ///< on its level
  std::int64_t sources;
  std::int32_t level;
  std::int32_t with_sources;
};

/// Finds the exports of one part from its complete boxes.
class ExportSearch {
 public:
  ExportSearch(const Partition& partition, const std::vector<char>& has_targets, int part,
               const Octree& own)
      : partition_(partition), has_targets_(has_targets), part_(part), own_(own) {}

  Exports run() {
    const KeyRange whole = partition_.range(part_);
    for (std::size_t b = 0; b < own_.boxes.size(); ++b) {
      const Box& box = own_.boxes[b];
      const bool largest = whole.contains(keys_of(box)) &&
                           (box.parent < 0 || !whole.contains(keys_of(own_.boxes[box.parent])));
      if (!largest) continue;
      const std::vector<int> around =
          box.parent < 0 ? std::vector<int>{} : others_around(own_.boxes[box.parent]);
      visit(static_cast<std::int32_t>(b), around);
    }
    Exports exports;
    for (auto& [part, message] : messages_) exports.messages.push_back(std::move(message));
    return exports;
  }

 private:
  std::vector<int> others_around(const Box& box) const {
    std::vector<int> parts = adjacent_parts(partition_, has_targets_, box.level, key_on_level(box));
    std::erase(parts, part_);
    return parts;
  }

  /// `around_parent`: the parts that need the expansion of box b.
  void visit(std::int32_t b, const std::vector<int>& around_parent) {
    const Box& box = own_.boxes[b];
    if (around_parent.empty() || box.source_count() == 0) return;
    const std::vector<int> around = others_around(box);
    for (const int part : around_parent) {
      Exports::Message& message = messages_[part];
      message.part = part;
      message.boxes.push_back(b);
      message.with_sources.push_back(
          box.is_leaf() && std::binary_search(around.begin(), around.end(), part) ? 1 : 0);
    }
    for (std::int32_t i = 0; i < box.child_count; ++i) visit(box.first_child + i, around);
  }

  const Partition& partition_;
  const std::vector<char>& has_targets_;
  const int part_;
  const Octree& own_;
  std::map<int, Exports::Message> messages_;
};

std::int32_t clipped(std::int64_t count) {
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(count, std::numeric_limits<std::int32_t>::max()));
}

/// The boxes of the result on one level, by their keys on that level.
using Level = std::map<std::uint64_t, Box>;

Box at(int level, std::uint64_t key, Holder holder, std::int32_t sources_begin,
       std::int64_t sources) {
  Box box;
  box.level = level;
  box.holder = holder;
  std::uint32_t* const position[3] = {&box.x, &box.y, &box.z};
  for (int bit = 0; bit < level; ++bit) {
    for (int axis = 0; axis < 3; ++axis)
      *position[axis] |= static_cast<std::uint32_t>(key >> (3 * bit + axis) & 1) << bit;
  }
  box.source_begin = sources_begin;
  box.source_end = clipped(sources_begin + sources);
  box.target_begin = box.target_end = sources_begin;
  return box;
}

/// The sources of cut boxes, summed over the processes, in the order of cut_boxes().
std::vector<std::int64_t> count_cut(Communicator& processes,
                                    const std::vector<std::vector<std::uint64_t>>& cut,
                                    const Octree& own) {
  std::vector<std::int64_t> counts;
  for (std::size_t level = 0; level < cut.size(); ++level) {
    std::map<std::uint64_t, std::int64_t> here;
    if (static_cast<int>(level) <= own.depth()) {
      for (std::int32_t b = own.level_begin[level]; b < own.level_begin[level + 1]; ++b)
        here[key_on_level(own.boxes[b])] = own.boxes[b].source_count();
    }
    for (const std::uint64_t key : cut[level]) {
      const auto found = here.find(key);
      counts.push_back(found == here.end() ? 0 : found->second);
    }
  }
  processes.sum(counts);
  return counts;
}

}  // namespace

ExpansionExchange::ExpansionExchange(Communicator& processes, Route route,
                                     std::vector<std::int32_t> sent,
                                     std::vector<std::int32_t> received,
                                     std::vector<std::int32_t> shared)
    : processes_(&processes),
      route_(std::move(route)),
      sent_(std::move(sent)),
      received_(std::move(received)),
      shared_(std::move(shared)) {}

Exports find_exports(const Partition& partition, const std::vector<char>& has_targets, int part,
                     const Octree& own) {
  return ExportSearch(partition, has_targets, part, own).run();
}

EssentialTree essential_tree(Communicator& processes, const Partition& partition, Octree own) {
  const auto size = static_cast<std::size_t>(processes.size());
  const int rank = processes.rank();
  std::vector<std::int64_t> targets(size, 0);
  targets[static_cast<std::size_t>(rank)] = own.boxes[0].target_count();
  processes.sum(targets);
  std::vector<char> has_targets;
  for (const std::int64_t count : targets) has_targets.push_back(count > 0 ? 1 : 0);

  // What is sent: boxes, and the sources of some of them.
  const Exports exports = find_exports(partition, has_targets, rank, own);
  std::vector<std::int64_t> box_begin(size + 1, 0), point_begin(size + 1, 0);
  std::vector<std::int32_t> sent_boxes, places, sent_points;
  std::vector<SentBox> records;
  auto next = exports.messages.begin();
  for (std::size_t r = 0; r < size; ++r) {
    if (next != exports.messages.end() && next->part == static_cast<int>(r)) {
      for (std::size_t i = 0; i < next->boxes.size(); ++i) {
        const Box& box = own.boxes[next->boxes[i]];
        places.push_back(static_cast<std::int32_t>(places.size()));
        sent_boxes.push_back(next->boxes[i]);
        records.push_back(
            {key_on_level(box), box.source_count(), box.level, next->with_sources[i]});
        if (next->with_sources[i] == 0) continue;
        for (std::int32_t j = box.source_begin; j < box.source_end; ++j)
          sent_points.push_back(own.source_order[j]);
      }
      ++next;
    }
    box_begin[r + 1] = static_cast<std::int64_t>(sent_boxes.size());
    point_begin[r + 1] = static_cast<std::int64_t>(sent_points.size());
  }
  EssentialTree result;
  Route route(processes, std::move(box_begin), std::move(places));
  result.halo = Route(processes, std::move(point_begin), std::move(sent_points));
  std::vector<SentBox> arrived(static_cast<std::size_t>(route.arrivals()));
  route.forward(processes, records.data(), 1, arrived.data());

  // All boxes, by level and key.
  const auto cut = cut_boxes(partition);
  const std::vector<std::int64_t> cut_counts = count_cut(processes, cut, own);
  std::vector<Level> levels(static_cast<std::size_t>(max_level) + 1);
  for (std::size_t b = 0; b < own.boxes.size(); ++b) {
    Box box = own.boxes[b];
    box.parent = box.first_child = -1;
    box.child_count = 0;
    levels[static_cast<std::size_t>(box.level)][key_on_level(box)] = box;
  }
  std::size_t k = 0;
  for (std::size_t level = 0; level < cut.size(); ++level) {
    for (const std::uint64_t key : cut[level]) {
      const std::int64_t count = cut_counts[k++];
      const auto found = levels[level].find(key);
      Box box = at(static_cast<int>(level), key, Holder::shared, 0, count);
      if (found != levels[level].end()) {
        box.target_begin = found->second.target_begin;
        box.target_end = found->second.target_end;
        found->second = box;
      } else if (count > 0) {
        levels[level][key] = box;
      }
    }
  }
  auto halo = static_cast<std::int32_t>(own.source_order.size());
  for (const SentBox& each : arrived) {
    const bool with_sources = each.with_sources != 0;
    levels[static_cast<std::size_t>(each.level)][each.key] =
        at(each.level, each.key, with_sources ? Holder::halo : Holder::remote,
           with_sources ? halo : 0, each.sources);
    if (with_sources) halo += static_cast<std::int32_t>(each.sources);
  }

  // The tree, breadth first.
  Octree& tree = result.tree;
  tree.corner = own.corner;
  tree.side = own.side;
  tree.extent = own.extent;
  tree.shared_points = own.shared_points;
  tree.level_begin = {0};
  std::vector<std::map<std::uint64_t, std::int32_t>> index(levels.size());
  for (std::size_t level = 0; level < levels.size() && !levels[level].empty(); ++level) {
    for (auto& [key, box] : levels[level]) {
      const auto b = static_cast<std::int32_t>(tree.boxes.size());
      index[level][key] = b;
      if (level > 0) {
        const auto parent = index[level - 1].find(key >> 3);
        if (parent == index[level - 1].end())
          throw std::logic_error("a box of another process came without its parent");
        box.parent = parent->second;
        Box& above = tree.boxes[static_cast<std::size_t>(parent->second)];
        if (above.child_count++ == 0) above.first_child = b;
      }
      tree.boxes.push_back(box);
    }
    tree.level_begin.push_back(static_cast<std::int32_t>(tree.boxes.size()));
  }
  tree.source_order = own.source_order;
  tree.target_order = own.shared_points ? own.source_order : own.target_order;
  for (auto i = static_cast<std::int32_t>(own.source_order.size()); i < halo; ++i)
    tree.source_order.push_back(i);

  const auto box_of = [&](int level, std::uint64_t key) {
    return index[static_cast<std::size_t>(level)].at(key);
  };
  std::vector<std::int32_t> sent, received, shared;
  for (const std::int32_t b : sent_boxes)
    sent.push_back(box_of(own.boxes[b].level, key_on_level(own.boxes[b])));
  for (const SentBox& each : arrived) received.push_back(box_of(each.level, each.key));
  k = 0;
  for (std::size_t level = 0; level < cut.size(); ++level) {
    for (const std::uint64_t key : cut[level]) {
      if (cut_counts[k++] > 0) shared.push_back(box_of(static_cast<int>(level), key));
    }
  }
  result.exchange = ExpansionExchange(processes, std::move(route), std::move(sent),
                                      std::move(received), std::move(shared));
  return result;
}

}  // namespace rankine::fmm
