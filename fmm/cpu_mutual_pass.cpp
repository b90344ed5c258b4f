// The leaf pass with pairs in different leaves that are summed once for both (fmm/leaf_groups.hpp).
#include <algorithm>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/leaf_workspace.hpp"

namespace rankine::fmm {

template <class T>
bool CpuPasses<T>::mutual(const Results& results) const {
  return groups_.count() > 0 && rhs_ == 1 && !with_dipoles_ && derivatives(results) < 2;
}

template <class T>
void CpuPasses<T>::sum_mutual_pairs(std::int32_t leaf, LeafWorkspace& work) const {
  if (work.mutual_ranges.empty()) return;
  std::int32_t others = 0;
  for (const MutualRange<T>& range : work.mutual_ranges) others += range.count();
  const std::size_t size = 8 * static_cast<std::size_t>(mutual_stride(others, kernels_.width));
  if (work.mutual_workspace.size() < size) work.mutual_workspace.resize(size);
  MutualPoints<T> points{
      .sources = source_arrays(), .derivatives = work.terms.derivatives, .sum = {}};
  for (int c = 0; c < components(work.terms); ++c) points.sum[c] = work.sum[c].data();
  const Box& box = plan_.tree.boxes[leaf];
  kernels_.p2p_mutual(plan_.pair_kernel(), points, {source_range<T>(box, box), work.at},
                      work.mutual_ranges, plan_.root, work.mutual_workspace.data());
}

/// The sums of group g for the points of its halo.
template <class T>
std::span<T> CpuPasses<T>::halo(std::size_t g, int component, int components) {
  const std::int64_t points = groups_.halo_points(g);
  return {halo_.data() + components * groups_.halo_begin[g] + component * points,
          static_cast<std::size_t>(points)};
}

template <class T>
void CpuPasses<T>::sum_mutual_groups(const Results& results, const MakeWorkspace& make_workspace) {
  const int size = components({.derivatives = derivatives(results)});
  halo_.resize(static_cast<std::size_t>(size * groups_.halo_begin.back()));
  parallel_chunks(groups_.count(), 1, make_workspace, [&](std::size_t g, LeafWorkspace& work) {
    const auto group = groups_.group(g);
    sum_group(group, groups_.halo_points(g), results, work);
    const std::int32_t own = plan_.tree.boxes[group.back()].target_end - work.first;
    for (int c = 0; c < size; ++c) {
      const auto to = halo(g, c, size);
      std::copy_n(work.sum[c].begin() + own, to.size(), to.begin());
    }
  });
  parallel_chunks(groups_.leaves.size(), 64, make_workspace,
                  [&](std::size_t i, LeafWorkspace& work) {
                    const auto arrivals = groups_.arrivals_of(i);
                    if (arrivals.empty()) return;
                    const Stopwatch stopwatch;
                    const Box& box = plan_.tree.boxes[groups_.leaves[i]];
                    work.clear(box.target_begin, box.target_count(), 1, kernels_.width);
                    for (const LeafGroups::Arrival& each : arrivals) {
                      for (int c = 0; c < size; ++c) {
                        const T* const from = halo(each.group, c, size).data() + each.at;
                        for (std::int32_t k = 0; k < box.target_count(); ++k)
                          work.sum[c][k] += from[k];
                      }
                    }
                    write(box, results, work.sums(box.target_count()), true);
                    if (work.seconds != nullptr) work.seconds->p2p += stopwatch.seconds();
                  });
}

#define RANKINE_INSTANTIATE(T)                                                      \
  template bool CpuPasses<T>::mutual(const Results&) const;                         \
  template void CpuPasses<T>::sum_mutual_pairs(std::int32_t, LeafWorkspace&) const; \
  template std::span<T> CpuPasses<T>::halo(std::size_t, int, int);                  \
  template void CpuPasses<T>::sum_mutual_groups(const Results&, const MakeWorkspace&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::fmm
