#include "rankine/fmm/distributed/essential_tree.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace rankine::fmm {
namespace {

/// The data of a box in a message.
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

/// Boxes of one level, and their keys on this level; sorted by key after all have been added.
class Level {
 public:
  void add(std::uint64_t key, const Box& box) { boxes_.push_back({key, box}); }
  void sort() {
    std::sort(boxes_.begin(), boxes_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  /// Position of a box; -1 if it is not in this level.
  std::int32_t find(std::uint64_t key) const {
    const auto found = std::lower_bound(
        boxes_.begin(), boxes_.end(), key,
        [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
    return found != boxes_.end() && found->first == key
               ? static_cast<std::int32_t>(found - boxes_.begin())
               : -1;
  }
  const std::vector<std::pair<std::uint64_t, Box>>& boxes() const { return boxes_; }

 private:
  std::vector<std::pair<std::uint64_t, Box>> boxes_;
};

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

/// A divided box, with the part of this process.
struct CutBox {
  int level;
  std::uint64_t key;
  std::int32_t own;      ///< index of the box among those of this process, or -1
  std::int64_t sources;  ///< of all processes
};

std::vector<CutBox> find_cut_boxes(Communicator& processes, const Partition& partition,
                                   const Octree& own) {
  std::vector<CutBox> boxes;
  std::vector<std::int64_t> counts;
  int level = 0;
  for (const std::vector<std::uint64_t>& keys : cut_boxes(partition)) {
    const bool exists = level <= own.depth();
    std::int32_t b = exists ? own.level_begin[level] : 0;
    const std::int32_t end = exists ? own.level_begin[level + 1] : 0;
    for (const std::uint64_t key : keys) {
      while (b < end && key_on_level(own.boxes[b]) < key) ++b;
      const bool here = b < end && key_on_level(own.boxes[b]) == key;
      boxes.push_back({level, key, here ? b : -1, 0});
      counts.push_back(here ? own.boxes[b].source_count() : 0);
    }
    ++level;
  }
  processes.sum(counts);
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].sources = counts[i];
  return boxes;
}

/// The tree of all boxes, breadth first, without orders of points.
Octree join(const Octree& own, std::vector<Level>& levels) {
  Octree tree;
  tree.corner = own.corner;
  tree.side = own.side;
  tree.extent = own.extent;
  tree.shared_points = own.shared_points;
  tree.level_begin = {0};
  for (std::size_t l = 0; l < levels.size() && !levels[l].boxes().empty(); ++l) {
    std::int32_t parent = l == 0 ? -1 : tree.level_begin[l - 1];
    for (const auto& [key, from] : levels[l].boxes()) {
      Box box = from;
      box.parent = parent;
      if (l > 0) {
        const std::int32_t end = tree.level_begin[l];
        while (parent < end && key_on_level(tree.boxes[parent]) < key >> 3) ++parent;
        if (parent == end || key_on_level(tree.boxes[parent]) != key >> 3)
          throw std::logic_error("a box of another process came without its parent");
        box.parent = parent;
        Box& above = tree.boxes[parent];
        if (above.child_count++ == 0)
          above.first_child = static_cast<std::int32_t>(tree.boxes.size());
      }
      tree.boxes.push_back(box);
    }
    tree.level_begin.push_back(static_cast<std::int32_t>(tree.boxes.size()));
  }
  return tree;
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

  // Send boxes, and the sources of some of them.
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

  const std::vector<CutBox> cut = find_cut_boxes(processes, partition, own);
  std::vector<Level> levels(static_cast<std::size_t>(max_level) + 1);
  std::vector<char> is_cut(own.boxes.size(), 0);
  for (const CutBox& each : cut) {
    Box box = at(each.level, each.key, Holder::shared, 0, each.sources);
    if (each.own >= 0) {
      is_cut[static_cast<std::size_t>(each.own)] = 1;
      box.target_begin = own.boxes[each.own].target_begin;
      box.target_end = own.boxes[each.own].target_end;
    }
    if (each.own >= 0 || each.sources > 0)
      levels[static_cast<std::size_t>(each.level)].add(each.key, box);
  }
  for (std::size_t b = 0; b < own.boxes.size(); ++b) {
    if (is_cut[b] != 0) continue;
    Box box = own.boxes[b];
    box.first_child = -1;
    box.child_count = 0;
    levels[static_cast<std::size_t>(box.level)].add(key_on_level(box), box);
  }
  auto halo = static_cast<std::int32_t>(own.source_order.size());
  for (const SentBox& each : arrived) {
    const bool with_sources = each.with_sources != 0;
    levels[static_cast<std::size_t>(each.level)].add(
        each.key, at(each.level, each.key, with_sources ? Holder::halo : Holder::remote,
                     with_sources ? halo : 0, each.sources));
    if (with_sources) halo += static_cast<std::int32_t>(each.sources);
  }
  for (Level& level : levels) level.sort();

  Octree& tree = result.tree = join(own, levels);
  tree.source_order = own.source_order;
  tree.target_order = own.shared_points ? own.source_order : own.target_order;
  for (auto i = static_cast<std::int32_t>(own.source_order.size()); i < halo; ++i)
    tree.source_order.push_back(i);

  const auto box_of = [&](int level, std::uint64_t key) {
    const auto l = static_cast<std::size_t>(level);
    return tree.level_begin[l] + levels[l].find(key);
  };
  std::vector<std::int32_t> sent, received, shared;
  for (const std::int32_t b : sent_boxes)
    sent.push_back(box_of(own.boxes[b].level, key_on_level(own.boxes[b])));
  for (const SentBox& each : arrived) received.push_back(box_of(each.level, each.key));
  for (const CutBox& each : cut) {
    if (each.sources > 0) shared.push_back(box_of(each.level, each.key));
  }
  result.exchange = ExpansionExchange(processes, std::move(route), std::move(sent),
                                      std::move(received), std::move(shared));
  return result;
}

}  // namespace rankine::fmm
