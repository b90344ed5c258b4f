#include "rankine/fmm/translation_schedule.hpp"

#include <algorithm>
#include <set>

#include "rankine/fmm/core/block_size.hpp"
#include "rankine/fmm/translations.hpp"

namespace rankine::fmm {
namespace {

struct Directed {
  std::int32_t direction, from, to;
};

/// Sorts the translations of every block by direction and joins the blocks.
TranslationSchedule join(const std::vector<std::vector<Directed>>& blocks, int directions) {
  TranslationSchedule schedule;
  std::vector<std::int64_t> step_begin = {0};
  for (const auto& block : blocks)
    step_begin.push_back(step_begin.back() + static_cast<std::int64_t>(block.size()));
  schedule.from.resize(step_begin.back());
  schedule.to.resize(step_begin.back());
  std::vector<std::vector<TranslationSchedule::Group>> groups(blocks.size());
  parallel_chunks(blocks.size(), 1, [&](std::size_t b) {
    std::vector<std::int64_t> at(directions + 1, 0);
    for (const Directed& step : blocks[b]) ++at[step.direction + 1];
    at[0] = step_begin[b];
    for (int d = 0; d < directions; ++d) {
      if (at[d + 1] > 0) groups[b].push_back({d, at[d], at[d] + at[d + 1]});
      at[d + 1] += at[d];
    }
    for (const Directed& step : blocks[b]) {
      schedule.from[at[step.direction]] = step.from;
      schedule.to[at[step.direction]++] = step.to;
    }
  });
  schedule.block_begin = {0};
  for (const auto& group : groups) {
    schedule.groups.insert(schedule.groups.end(), group.begin(), group.end());
    schedule.block_begin.push_back(static_cast<std::int64_t>(schedule.groups.size()));
  }
  return schedule;
}

/// Collects the translations that add(box, list) appends, for blocks of the boxes [begin, end).
template <class Add>
TranslationSchedule collect(std::int32_t begin, std::int32_t end, int directions, Add&& add) {
  // Large blocks fill packs and share factors.
  const std::int32_t size = block_size(end - begin, 16, 512),
                     count = (end - begin + size - 1) / size;
  std::vector<std::vector<Directed>> blocks(static_cast<std::size_t>(count));
  parallel_chunks(blocks.size(), 1, [&](std::size_t i) {
    const std::int32_t first = begin + static_cast<std::int32_t>(i) * size;
    for (std::int32_t b = first; b < std::min(first + size, end); ++b) add(b, blocks[i]);
  });
  return join(blocks, directions);
}

}  // namespace

std::size_t TranslationSchedule::bytes() const {
  return groups.size() * sizeof(Group) + block_begin.size() * sizeof(std::int64_t) +
         2 * from.size() * sizeof(std::int32_t);
}

TranslationSchedule m2l_schedule(const Octree& tree, const BoxLists& far) {
  const auto boxes = static_cast<std::int32_t>(tree.boxes.size());
  return collect(0, boxes, offset_count, [&](std::int32_t to, std::vector<Directed>& list) {
    visit_m2l(tree.boxes.data(), row_pointers(far.row(to)), to,
              [&](std::int32_t from, int dx, int dy, int dz) {
                list.push_back({offset_index(dx, dy, dz), from, to});
              });
  });
}

TranslationSchedule m2m_schedule(const Octree& tree, int level) {
  return collect(tree.level_begin[level - 1], tree.level_begin[level], 8,
                 [&](std::int32_t to, std::vector<Directed>& list) {
                   visit_m2m(tree.boxes.data(), to, [&](std::int32_t from, int octant) {
                     list.push_back({octant, from, to});
                   });
                 });
}

TranslationSchedule l2l_schedule(const Octree& tree, int level) {
  return collect(tree.level_begin[level], tree.level_begin[level + 1], 8,
                 [&](std::int32_t to, std::vector<Directed>& list) {
                   visit_l2l(tree.boxes.data(), to, [&](std::int32_t from, int octant) {
                     list.push_back({octant, from, to});
                   });
                 });
}

template <class T>
std::size_t bytes_of(const TranslationTable<T>& table) {
  std::set<const void*> counted;
  std::size_t values = 0;
  for (const Translation<T>& each : table) {
    values += each.cos_phi.size() + each.sin_phi.size();
    if (each.rotation && counted.insert(each.rotation.get()).second)
      values += 2 * each.rotation->to_axis.size();
    if (each.coaxial && counted.insert(each.coaxial.get()).second) values += each.coaxial->size();
  }
  return values * sizeof(T);
}

template <class T>
TranslationTable<T> m2l_table(const Orders& orders) {
  std::vector<Vec3d> offsets;
  for (int i = 0; i < offset_count; ++i) offsets.push_back(offset_vector(i));
  return make_translations<T>(Shift::multipole_to_local, offsets, orders.m2l);
}

template <class T>
TranslationTable<T> octant_table(Shift shift, int order) {
  std::vector<Vec3d> offsets;
  for (int octant = 0; octant < 8; ++octant) offsets.push_back(octant_offset(octant));
  const std::vector<std::int8_t> orders(offsets.size(), static_cast<std::int8_t>(order));
  return make_translations<T>(shift, offsets, orders);
}

#define RANKINE_INSTANTIATE(T)                               \
  template std::size_t bytes_of(const TranslationTable<T>&); \
  template TranslationTable<T> m2l_table(const Orders&);     \
  template TranslationTable<T> octant_table(Shift, int);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::fmm
