#include "rankine/fmm/translation_schedule.hpp"

#include <algorithm>

namespace rankine::fmm {
namespace {

constexpr std::int32_t boxes_per_block = 512;

struct Step {
  std::int32_t direction, from, to;
};

/// Sorts the steps of every block by direction and joins the blocks.
TranslationSchedule join(const std::vector<std::vector<Step>>& blocks, int directions) {
  TranslationSchedule schedule;
  std::vector<std::int64_t> step_begin = {0};
  for (const auto& block : blocks)
    step_begin.push_back(step_begin.back() + static_cast<std::int64_t>(block.size()));
  schedule.from.resize(step_begin.back());
  schedule.to.resize(step_begin.back());
  std::vector<std::vector<TranslationSchedule::Group>> groups(blocks.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<std::int64_t> at(directions + 1, 0);
    for (const Step& step : blocks[b]) ++at[step.direction + 1];
    at[0] = step_begin[b];
    for (int d = 0; d < directions; ++d) {
      if (at[d + 1] > 0) groups[b].push_back({d, at[d], at[d] + at[d + 1]});
      at[d + 1] += at[d];
    }
    for (const Step& step : blocks[b]) {
      schedule.from[at[step.direction]] = step.from;
      schedule.to[at[step.direction]++] = step.to;
    }
  }
  schedule.block_begin = {0};
  for (const auto& group : groups) {
    schedule.groups.insert(schedule.groups.end(), group.begin(), group.end());
    schedule.block_begin.push_back(static_cast<std::int64_t>(schedule.groups.size()));
  }
  return schedule;
}

/// Collects steps(box, list) over blocks of the boxes [begin, end).
template <class Steps>
TranslationSchedule collect(std::int32_t begin, std::int32_t end, int directions, Steps&& steps) {
  const std::int32_t count = (end - begin + boxes_per_block - 1) / boxes_per_block;
  std::vector<std::vector<Step>> blocks(count);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t first = begin + i * boxes_per_block,
                       last = std::min(first + boxes_per_block, end);
    for (std::int32_t b = first; b < last; ++b) steps(b, blocks[i]);
  }
  return join(blocks, directions);
}

/// Transposes consecutive square blocks of the given sizes.
std::vector<double> transpose_blocks(const std::vector<double>& blocks,
                                     const std::vector<int>& sizes) {
  std::vector<double> result(blocks.size());
  std::size_t begin = 0;
  for (const int size : sizes) {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) result[begin + j * size + i] = blocks[begin + i * size + j];
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
  return collect(
      0, static_cast<std::int32_t>(tree.boxes.size()), offset_count,
      [&](std::int32_t b, std::vector<Step>& steps) {
        const Box& target = tree.boxes[b];
        for (const std::int32_t c : far.row(b)) {
          const Box& source = tree.boxes[c];
          const auto offset = [](std::uint32_t a, std::uint32_t s) {
            return static_cast<int>(static_cast<std::int64_t>(a) - static_cast<std::int64_t>(s));
          };
          steps.push_back({offset_index(offset(target.x, source.x), offset(target.y, source.y),
                                        offset(target.z, source.z)),
                           c, b});
        }
      });
}

TranslationSchedule m2m_schedule(const Octree& tree, int level) {
  return collect(tree.level_begin[level - 1], tree.level_begin[level], 8,
                 [&](std::int32_t b, std::vector<Step>& steps) {
                   const Box& parent = tree.boxes[b];
                   for (std::int32_t c = parent.first_child;
                        c < parent.first_child + parent.child_count; ++c) {
                     if (tree.boxes[c].source_count() > 0)
                       steps.push_back({tree.boxes[c].octant(), c, b});
                   }
                 });
}

TranslationSchedule l2l_schedule(const Octree& tree, int level) {
  return collect(tree.level_begin[level], tree.level_begin[level + 1], 8,
                 [&](std::int32_t b, std::vector<Step>& steps) {
                   if (tree.boxes[b].target_count() > 0)
                     steps.push_back({tree.boxes[b].octant(), tree.boxes[b].parent, b});
                 });
}

template <class T>
void TranslationTable<T>::add(int direction, const Translation& translation) {
  const auto keep = [&](const std::vector<double>& values) {
    storage_.push_back(std::make_unique<std::vector<T>>(values.begin(), values.end()));
    bytes_ += values.size() * sizeof(T);
    return storage_.back()->data();
  };
  if (factors_.size() <= static_cast<std::size_t>(direction)) factors_.resize(direction + 1);
  std::vector<int> rotation_sizes, coaxial_sizes;
  for (int n = 0; n < translation.order; ++n) {
    rotation_sizes.push_back(n + 1);
    rotation_sizes.push_back(n);
    coaxial_sizes.push_back(translation.order - n);
  }
  // The blocks are row-major; read as column-major they are their transposes.
  const std::vector<double>& rotation = translation.rotation.blocks();
  factors_[direction] = {translation.order,
                         keep(translation.cos_phi),
                         keep(translation.sin_phi),
                         keep(transpose_blocks(rotation, rotation_sizes)),
                         keep(rotation),
                         keep(transpose_blocks(translation.coaxial, coaxial_sizes))};
}

template <class T>
TranslationTable<T> m2l_table(const Orders& orders) {
  const std::vector<Translation> translations = make_m2l_translations(orders.m2l);
  TranslationTable<T> table;
  for (int i = 0; i < offset_count; ++i) {
    if (offset_is_far(i)) table.add(i, translations[i]);
  }
  return table;
}

template <class T>
TranslationTable<T> octant_table(Shift shift, int order) {
  TranslationTable<T> table;
  for (int octant = 0; octant < 8; ++octant)
    table.add(octant, make_translation(shift, octant_offset(octant), order));
  return table;
}

template class TranslationTable<float>;
template class TranslationTable<double>;
template TranslationTable<float> m2l_table<float>(const Orders&);
template TranslationTable<double> m2l_table<double>(const Orders&);
template TranslationTable<float> octant_table<float>(Shift, int);
template TranslationTable<double> octant_table<double>(Shift, int);

}  // namespace rankine::fmm
