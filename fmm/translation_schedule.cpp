#include "rankine/fmm/translation_schedule.hpp"

#include <algorithm>

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

/// Transposes consecutive square blocks of the given sizes.
std::vector<double> transpose_blocks(const std::vector<double>& blocks,
                                     const std::vector<int>& sizes) {
  std::vector<double> result(blocks.size());
  std::size_t begin = 0;
  for (const int size : sizes) {
    const double* const from = blocks.data() + begin;
    double* const to = result.data() + begin;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) to[j * size + i] = from[i * size + j];
    }
    begin += static_cast<std::size_t>(size) * size;
  }
  return result;
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
void TranslationTable<T>::set(int direction, const Translation& translation) {
  std::vector<int> rotation_sizes, coaxial_sizes;
  for (int n = 0; n < translation.order; ++n) {
    rotation_sizes.push_back(n + 1);
    rotation_sizes.push_back(n);
    coaxial_sizes.push_back(translation.order - n);
  }
  Arrays& arrays = storage_[direction];
  const auto keep = [&](std::size_t i, const std::vector<double>& values) {
    arrays[i].assign(values.begin(), values.end());
    return arrays[i].data();
  };
  // The blocks are row-major; interpreted as column-major they are the transposes.
  const std::vector<double>& rotation = translation.rotation.blocks();
  factors_[direction] = {translation.order,
                         keep(0, translation.cos_phi),
                         keep(1, translation.sin_phi),
                         keep(2, transpose_blocks(rotation, rotation_sizes)),
                         keep(3, rotation),
                         keep(4, transpose_blocks(translation.coaxial, coaxial_sizes))};
}

template <class T>
std::size_t TranslationTable<T>::bytes() const {
  std::size_t values = 0;
  for (const Arrays& arrays : storage_) {
    for (const std::vector<T>& each : arrays) values += each.size();
  }
  return values * sizeof(T);
}

template <class T>
TranslationTable<T> m2l_table(const Orders& orders) {
  const std::vector<Translation> translations = make_m2l_translations(orders.m2l);
  TranslationTable<T> table(offset_count);
  parallel_chunks(translations.size(), 8, [&](std::size_t i) {
    if (offset_is_far(static_cast<int>(i))) table.set(static_cast<int>(i), translations[i]);
  });
  return table;
}

template <class T>
TranslationTable<T> octant_table(Shift shift, int order) {
  constexpr int octants = 8;
  TranslationTable<T> table(octants);
  parallel_chunks(octants, 1, [&](std::size_t i) {
    const int octant = static_cast<int>(i);
    table.set(octant, make_translation(shift, octant_offset(octant), order));
  });
  return table;
}

template class TranslationTable<float>;
template class TranslationTable<double>;
template TranslationTable<float> m2l_table<float>(const Orders&);
template TranslationTable<double> m2l_table<double>(const Orders&);
template TranslationTable<float> octant_table<float>(Shift, int);
template TranslationTable<double> octant_table<double>(Shift, int);

}  // namespace rankine::fmm
