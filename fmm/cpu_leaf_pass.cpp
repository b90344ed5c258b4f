// The leaf pass on the CPU: L2P, M2P and P2P leaf by leaf, while a leaf's sums stay in the cache.
#include <atomic>

#include "rankine/fmm/core/block_size.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/leaf_workspace.hpp"

namespace rankine::fmm {

/// The potential of right-hand side k and its derivatives, from expansions without the highest
/// `left_out` degrees.
template <class T>
void CpuPasses<T>::add_derivatives(const std::array<GradientTerms<T>, 2>& rules, int k,
                                   std::int32_t source, const AlignedVector<T>& expansions, T scale,
                                   int left_out, LeafWorkspace& work) const {
  const T* const expansion = expansions.data() + (k * boxes() + source) * stride_;
  work.sets.push_back({expansion, plan_.orders.order - left_out, scale, work.sum_of(0, k)});
  AlignedVector<T>* const derivatives = work.derivatives_of(k);
  int count = 0;
  const auto add = [&](const GradientTerms<T>& rule, int axis, const T* of, T weight,
                       int component) {
    T* const derivative = derivatives[count++].data();
    rule.differentiate(axis, of, derivative, left_out);
    work.sets.push_back(
        {derivative, rule.derivative_order() - left_out, weight, work.sum_of(component, k)});
  };
  const int wanted = work.terms.derivatives;
  for (int axis = 0; wanted > 0 && axis < 3; ++axis)
    add(rules[0], axis, expansion, scale * scale, gradient_at + axis);
  for (int i = 0; wanted > 1 && i < 6; ++i) {
    const auto& [a, b] = second_derivatives[i];
    add(rules[1], b, derivatives[a].data(), scale * scale * scale, hessian_at + i);
  }
}

/// The curl of right-hand side k, with one expansion for each of three components, and its
/// derivatives.
template <class T>
void CpuPasses<T>::add_curl(const std::array<GradientTerms<T>, 2>& rules, int k,
                            std::int32_t source, const AlignedVector<T>& expansions, T scale,
                            int left_out, LeafWorkspace& work) const {
  const auto expansion = [&](int axis) {
    return expansions.data() + ((3 * k + axis) * boxes() + source) * stride_;
  };
  AlignedVector<T>* const derivatives = work.derivatives_of(k);
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    T* const curl = derivatives[i].data();
    rules[0].differentiate(a, expansion(b), curl, left_out);
    rules[0].add(b, T(-1), expansion(a), curl, left_out);
    work.sets.push_back(
        {curl, rules[0].derivative_order() - left_out, scale * scale, work.sum_of(i, k)});
  }
  for (int c = 0; work.terms.derivatives > 1 && c < 9; ++c) {
    T* const derivative = derivatives[velocity_gradient_at + c].data();
    rules[1].differentiate(c % 3, derivatives[c / 3].data(), derivative, left_out);
    work.sets.push_back({derivative, rules[1].derivative_order() - left_out, scale * scale * scale,
                         work.sum_of(velocity_gradient_at + c, k)});
  }
}

/// L2P if `kind` is regular (the source is the leaf itself), M2P if it is singular, for all
/// right-hand sides at once, which share the harmonics. Only degrees below `order` are used.
template <class T>
void CpuPasses<T>::evaluate_expansion(Harmonic kind, std::int32_t source, std::int32_t leaf,
                                      int order, LeafWorkspace& work) const {
  const bool regular = kind == Harmonic::regular;
  const auto& rules = regular ? local_derivatives_ : multipole_derivatives_;
  const Box &frame = plan_.tree.boxes[source], &box = plan_.tree.boxes[leaf];
  const ScaledPoints<T> points =
      in_frame(targets(), box.target_begin, box.target_count(), box_shift(frame, box), frame);
  const AlignedVector<T>& expansions = regular ? locals_ : multipoles_;
  const int left_out = plan_.orders.order - order;
  work.sets.clear();
  for (int k = 0; k < rhs_; ++k) {
    if (work.terms.vortices) {
      add_curl(rules, k, source, expansions, points.scale, left_out, work);
    } else {
      add_derivatives(rules, k, source, expansions, points.scale, left_out, work);
    }
  }
  const int highest = regular ? order : work.sets.back().order;
  kernels_.evaluate(kind, recursion_, highest, points, work.sets.data(),
                    static_cast<int>(work.sets.size()), work.kernel_workspace.data());
}

/// M2P from the smaller boxes of the leaf's list and, in a treecode, from the far boxes of the leaf
/// and of its ancestors.
template <class T>
void CpuPasses<T>::evaluate_multipoles(std::int32_t leaf, LeafWorkspace& work) const {
  const auto& boxes = plan_.tree.boxes;
  const bool treecode = plan_.options.method == Method::treecode;
  for (std::int32_t b = leaf; treecode && b >= 0; b = boxes[b].parent) {
    for (const std::int32_t c : plan_.lists.far.row(b)) {
      const int order = plan_.orders.m2p[offset_between(boxes[b], boxes[c])];
      evaluate_expansion(Harmonic::singular, c, leaf, order, work);
    }
  }
  for (const std::int32_t c : plan_.lists.multipole.row(leaf))
    evaluate_expansion(Harmonic::singular, c, leaf, plan_.orders.order, work);
}

/// The near leaves. A pair of leaves that is summed for both is in the list of the earlier one.
template <class T>
void CpuPasses<T>::list_near(std::int32_t leaf, LeafWorkspace& work) const {
  const BoxLists& near = plan_.lists.near;
  for (std::int64_t i = near.begin[leaf]; i < near.begin[leaf + 1]; ++i) {
    const std::int32_t place = work.mutual ? groups_.place[i] : LeafGroups::one_way;
    if (place == LeafGroups::summed) continue;
    const SourceRange<T> range =
        source_range<T>(plan_.tree.boxes[leaf], plan_.tree.boxes[near.items[i]]);
    if (place == LeafGroups::one_way) {
      work.ranges.push_back(range);
    } else {
      work.mutual_ranges.push_back({range, place});
    }
  }
}

/// The ranges of sources that a leaf sums pair by pair.
template <class T>
void CpuPasses<T>::list_ranges(std::int32_t leaf, LeafWorkspace& work) const {
  work.ranges.clear();
  work.mutual_ranges.clear();
  const auto range = [&](std::int32_t c) {
    return source_range<T>(plan_.tree.boxes[leaf], plan_.tree.boxes[c]);
  };
  const auto close = plan_.lists.close.row(leaf);
  if (plan_.options.method != Method::direct) return list_near(leaf, work);
  auto next = close.begin();  // in the order of the leaves
  for (const std::int32_t c : plan_.leaves) {
    if (next != close.end() && *next == c) {
      ++next;
    } else if (plan_.tree.boxes[c].source_count() > 0) {
      work.ranges.push_back(range(c));
    }
  }
}

template <class T>
void CpuPasses<T>::sum_pairs(std::int32_t leaf, LeafWorkspace& work) const {
  const Box& box = plan_.tree.boxes[leaf];
  list_ranges(leaf, work);
  const SourceArrays<T> sources = source_arrays();
  const LocalPoints<T>& points = targets();
  TargetSums<T> sums = work.sums(box.target_count());
  const AlignedVector<T>* const at[3] = {&points.x, &points.y, &points.z};
  for (int axis = 0; axis < 3; ++axis) sums.at[axis] = at[axis]->data() + box.target_begin;
  kernels_.p2p(plan_.pair_kernel(), sources, work.ranges.data(),
               static_cast<int>(work.ranges.size()), sums, rhs_, plan_.root);
  sum_mutual_pairs(leaf, work);
}

template <class T>
void CpuPasses<T>::add_close_pairs(std::int32_t leaf, const Results& results,
                                   LeafWorkspace& work) const {
  const auto close = plan_.lists.close.row(leaf);
  if (close.empty()) return;
  const Box& box = plan_.tree.boxes[leaf];
  work.ranges.clear();
  for (const std::int32_t c : close)
    work.ranges.push_back(source_range<T>(box, plan_.tree.boxes[c]));
  const LocalPoints<double>& points = plan_.tree.shared_points ? close_sources_ : close_targets_;
  const double* const source_at[3] = {close_sources_.x.data(), close_sources_.y.data(),
                                      close_sources_.z.data()};
  TargetSums<double> sums{
      .at = {points.x.data() + box.target_begin, points.y.data() + box.target_begin,
             points.z.data() + box.target_begin},
      .count = box.target_count(),
      .derivatives = work.terms.derivatives,
      .sum = {},
      .rhs_stride = box.target_count()};
  for (int c = 0; c < components(work.terms); ++c) {
    work.close_sum[c].assign(static_cast<std::size_t>(rhs_ * sums.rhs_stride), 0.0);
    sums.sum[c] = work.close_sum[c].data();
  }
  kernels_.p2p_close(plan_.pair_kernel(), source_arrays(), source_at, work.ranges.data(),
                     static_cast<int>(work.ranges.size()), sums, 1.0 / plan_.tree.side, rhs_);
  write(box, results, sums, true);
}

template <class T>
template <class S>
void CpuPasses<T>::write(const Box& box, const Results& results, const TargetSums<S>& sums,
                         bool add) const {
  const std::int64_t n = plan_.tree.boxes[0].target_count();
  /// Writes `width` components per target, from component `first` on.
  const auto put = [&](std::span<double> result, int first, int width) {
    if (result.empty()) return;
    const double s = 1.0 / plan_.tree.side;
    const int derivative = derivative_of({.vortices = vortices()}, first);
    const double scale = derivative == 0 ? s : (derivative == 1 ? s * s : s * s * s);
    for (int k = 0; k < rhs_; ++k) {
      for (std::int32_t i = 0; i < box.target_count(); ++i) {
        const std::int64_t to = k * n + plan_.tree.target_order[box.target_begin + i];
        for (int c = 0; c < width; ++c) {
          double& value = result[width * to + c];
          value = (add ? value : 0.0) + sums.sum[first + c][k * sums.rhs_stride + i] * scale;
        }
      }
    }
  };
  put(results.potential, 0, 1);
  put(results.gradient, gradient_at, 3);
  put(results.hessian, hessian_at, 6);
  put(results.velocity, 0, 3);
  put(results.velocity_gradient, velocity_gradient_at, 9);
}

template <class T>
void CpuPasses<T>::sum_leaf(std::int32_t leaf, LeafWorkspace& work) const {
  Stopwatch stopwatch;
  const auto lap = [&](double LeafSeconds::*part) {
    if (work.seconds != nullptr) work.seconds->*part += stopwatch.lap();
  };
  if (plan_.options.method == Method::fmm)
    evaluate_expansion(Harmonic::regular, leaf, leaf, plan_.orders.order, work);
  lap(&LeafSeconds::l2p);
  evaluate_multipoles(leaf, work);
  lap(&LeafSeconds::m2p);
  sum_pairs(leaf, work);
  lap(&LeafSeconds::p2p);
}

/// Sums and results of a group, without halo contributions.
template <class T>
void CpuPasses<T>::sum_group(std::span<const std::int32_t> leaves, std::int64_t halo,
                             const Results& results, LeafWorkspace& work) const {
  const auto& boxes = plan_.tree.boxes;
  const std::int32_t begin = boxes[leaves.front()].target_begin,
                     end = boxes[leaves.back()].target_end;
  work.clear(begin, end - begin + halo, rhs_, kernels_.width);
  const auto for_leaves = [&](auto&& work_of) {
    for (const std::int32_t leaf : leaves) {
      work.at = boxes[leaf].target_begin - begin;
      if (boxes[leaf].target_count() > 0) work_of(leaf);
    }
  };
  for_leaves([&](std::int32_t leaf) { sum_leaf(leaf, work); });
  const Stopwatch stopwatch;
  for_leaves([&](std::int32_t leaf) {
    write(boxes[leaf], results, work.sums(boxes[leaf].target_count()), false);
    add_close_pairs(leaf, results, work);
  });
  if (work.seconds != nullptr) work.seconds->p2p += stopwatch.seconds();
}

template <class T>
void CpuPasses<T>::leaves(const Results& results, LeafSeconds* seconds) {
  std::vector<LeafSeconds> each(static_cast<std::size_t>(thread_count()));
  std::atomic<std::size_t> workspaces{0};
  const MakeWorkspace make_workspace = [&] {
    LeafWorkspace work;
    work.kernel_workspace = kernel_workspace();
    work.terms = {.derivatives = derivatives(results), .vortices = vortices()};
    work.mutual = mutual(results);
    if (work.terms.derivatives > 0) {
      work.derivatives.assign(static_cast<std::size_t>(most_components * rhs_),
                              AlignedVector<T>(static_cast<std::size_t>(coefficient_count(
                                  multipole_derivatives_[1].derivative_order()))));
    }
    if (seconds != nullptr) work.seconds = &each[workspaces++ % each.size()];
    return work;
  };
  if (mutual(results)) {
    sum_mutual_groups(results, make_workspace);
  } else {
    // A few leaves may each take long, for example in direct sums at sampled targets.
    const std::int32_t chunk = block_size(static_cast<std::int32_t>(plan_.leaves.size()), 1, 16);
    parallel_chunks(plan_.leaves.size(), static_cast<std::size_t>(chunk), make_workspace,
                    [&](std::size_t i, LeafWorkspace& work) {
                      sum_group(std::span(plan_.leaves).subspan(i, 1), 0, results, work);
                    });
  }
  for (const LeafSeconds& thread : each) {
    if (seconds == nullptr) break;
    const auto threads = static_cast<double>(each.size());
    seconds->l2p += thread.l2p / threads;
    seconds->m2p += thread.m2p / threads;
    seconds->p2p += thread.p2p / threads;
  }
}

#define RANKINE_INSTANTIATE(T)                                                                     \
  template void CpuPasses<T>::leaves(const Results&, LeafSeconds*);                                \
  template void CpuPasses<T>::evaluate_multipoles(std::int32_t, LeafWorkspace&) const;             \
  template void CpuPasses<T>::evaluate_expansion(Harmonic, std::int32_t, std::int32_t, int,        \
                                                 LeafWorkspace&) const;                            \
  template void CpuPasses<T>::add_derivatives(const std::array<GradientTerms<T>, 2>&, int,         \
                                              std::int32_t, const AlignedVector<T>&, T, int,       \
                                              LeafWorkspace&) const;                               \
  template void CpuPasses<T>::add_curl(const std::array<GradientTerms<T>, 2>&, int, std::int32_t,  \
                                       const AlignedVector<T>&, T, int, LeafWorkspace&) const;     \
  template void CpuPasses<T>::list_near(std::int32_t, LeafWorkspace&) const;                       \
  template void CpuPasses<T>::list_ranges(std::int32_t, LeafWorkspace&) const;                     \
  template void CpuPasses<T>::sum_leaf(std::int32_t, LeafWorkspace&) const;                        \
  template void CpuPasses<T>::sum_pairs(std::int32_t, LeafWorkspace&) const;                       \
  template void CpuPasses<T>::add_close_pairs(std::int32_t, const Results&, LeafWorkspace&) const; \
  template void CpuPasses<T>::sum_group(std::span<const std::int32_t>, std::int64_t,               \
                                        const Results&, LeafWorkspace&) const;                     \
  template void CpuPasses<T>::write(const Box&, const Results&, const TargetSums<T>&, bool) const;
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::fmm
