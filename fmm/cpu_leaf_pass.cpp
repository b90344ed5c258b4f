// The leaf pass on the CPU: L2P, M2P and P2P leaf by leaf, while a leaf's sums stay in the cache.
#include <atomic>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/cpu_passes.hpp"
#include "rankine/fmm/source_range.hpp"

namespace rankine::fmm {

/// Sums of one leaf: rhs x count values of the potential and of each derivative that is wanted.
template <class T>
struct CpuPasses<T>::LeafWorkspace {
  std::vector<T> potential, gradient[3], hessian[6];
  AlignedVector<T> kernel_workspace;
  /// Coefficients: of each right-hand side the first derivatives, then the second.
  std::vector<AlignedVector<T>> derivatives;
  std::vector<EvaluatedExpansion<T>> sets;
  std::vector<SourceRange<T>> ranges, close_ranges;
  std::int64_t stride = 0;
  int derivatives_wanted = 0;  ///< as in PairTerms
  LeafSeconds* seconds = nullptr;

  void clear(std::int32_t count, int rhs, int width) {
    stride = count + width;
    potential.assign(stride * rhs, T(0));
    for (auto& each : gradient) each.assign(derivatives_wanted > 0 ? stride * rhs : 0, T(0));
    for (auto& each : hessian) each.assign(derivatives_wanted > 1 ? stride * rhs : 0, T(0));
  }
};

/// L2P where `kind` is regular (and the leaf its own source), M2P where it is singular, of all right-hand
/// sides at once: they share the harmonics.
template <class T>
void CpuPasses<T>::evaluate_expansion(Harmonic kind, std::int32_t source, std::int32_t leaf,
                                      LeafWorkspace& work) const {
  const bool regular = kind == Harmonic::regular;
  const auto& [first, second] = regular ? local_derivatives_ : multipole_derivatives_;
  const Box &frame = plan_.tree.boxes[source], &box = plan_.tree.boxes[leaf];
  const ScaledPoints<T> points =
      in_frame(targets(), box.target_begin, box.target_count(), box_shift(frame, box), frame);
  const T s = points.scale;
  const AlignedVector<T>& expansions = regular ? locals_ : multipoles_;
  work.sets.clear();
  for (int k = 0; k < rhs_; ++k) {
    const T* const expansion = expansions.data() + (k * boxes() + source) * stride_;
    work.sets.push_back(
        {expansion, plan_.orders.order, s, work.potential.data() + k * work.stride});
    AlignedVector<T>* const derivatives = work.derivatives.data() + 9 * k;
    int count = 0;
    const auto add = [&](const GradientTerms<T>& rule, int axis, const T* of, T weight,
                         std::vector<T>& result) {
      T* const derivative = derivatives[count++].data();
      rule.differentiate(axis, of, derivative);
      work.sets.push_back(
          {derivative, rule.derivative_order(), weight, result.data() + k * work.stride});
    };
    for (int axis = 0; work.derivatives_wanted > 0 && axis < 3; ++axis)
      add(first, axis, expansion, s * s, work.gradient[axis]);
    for (int i = 0; work.derivatives_wanted > 1 && i < 6; ++i) {
      const auto& [a, b] = second_derivatives[i];
      add(second, b, derivatives[a].data(), s * s * s, work.hessian[i]);
    }
  }
  const int order = regular ? plan_.orders.order : work.sets.back().order;
  kernels_.evaluate(kind, recursion_, order, points, work.sets.data(),
                    static_cast<int>(work.sets.size()), work.kernel_workspace.data());
}

/// The sources that a leaf sums pair by pair.
template <class T>
void CpuPasses<T>::list_ranges(std::int32_t leaf, LeafWorkspace& work) const {
  work.ranges.clear();
  work.close_ranges.clear();
  const auto range = [&](std::int32_t c) {
    return source_range<T>(plan_.tree.boxes[leaf], plan_.tree.boxes[c]);
  };
  const auto close = plan_.lists.close.row(leaf);
  for (const std::int32_t c : close) work.close_ranges.push_back(range(c));
  if (plan_.options.method != Method::direct) {
    for (const std::int32_t c : plan_.lists.near.row(leaf)) work.ranges.push_back(range(c));
    return;
  }
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
  const SourceArrays<T> sources{{sources_.x.data(), sources_.y.data(), sources_.z.data()},
                                strengths()};
  const LocalPoints<T>& at = targets();
  TargetSums<T> sums{.at = {at.x.data() + box.target_begin, at.y.data() + box.target_begin,
                            at.z.data() + box.target_begin},
                     .count = box.target_count(),
                     .derivatives = work.derivatives_wanted,
                     .sum = {work.potential.data()},
                     .rhs_stride = work.stride};
  for (int axis = 0; axis < 3; ++axis) sums.sum[gradient_at + axis] = work.gradient[axis].data();
  for (int i = 0; i < 6; ++i) sums.sum[hessian_at + i] = work.hessian[i].data();
  const PairKernel kernel = plan_.pair_kernel();
  kernels_.p2p(kernel, sources, work.ranges.data(), static_cast<int>(work.ranges.size()), sums,
               rhs_, plan_.root);
  if (work.close_ranges.empty()) return;
  const LocalPoints<double>& close_at = plan_.tree.shared_points ? close_sources_ : close_targets_;
  const double *const source_at[3] = {close_sources_.x.data(), close_sources_.y.data(),
                                      close_sources_.z.data()},
                      *const target_at[3] = {close_at.x.data() + box.target_begin,
                                             close_at.y.data() + box.target_begin,
                                             close_at.z.data() + box.target_begin};
  kernels_.p2p_close(kernel, sources, source_at, work.close_ranges.data(),
                     static_cast<int>(work.close_ranges.size()), sums, target_at,
                     1.0 / plan_.tree.side, rhs_);
}

template <class T>
void CpuPasses<T>::write(const Box& box, const Results& results, const LeafWorkspace& work) const {
  const double s = 1.0 / plan_.tree.side;
  const std::int64_t n = plan_.tree.boxes[0].target_count();
  for (int k = 0; k < rhs_; ++k) {
    for (std::int32_t i = 0; i < box.target_count(); ++i) {
      const std::int64_t to = k * n + plan_.tree.target_order[box.target_begin + i],
                         from = k * work.stride + i;
      if (!results.potential.empty()) results.potential[to] = work.potential[from] * s;
      for (int axis = 0; !results.gradient.empty() && axis < 3; ++axis)
        results.gradient[3 * to + axis] = work.gradient[axis][from] * s * s;
      for (int c = 0; !results.hessian.empty() && c < 6; ++c)
        results.hessian[6 * to + c] = work.hessian[c][from] * s * s * s;
    }
  }
}

template <class T>
void CpuPasses<T>::leaves(const Results& results, LeafSeconds* seconds) {
  const bool fmm = plan_.options.method == Method::fmm;
  std::vector<LeafSeconds> each(static_cast<std::size_t>(thread_count()));
  std::atomic<std::size_t> workspaces{0};
  const auto make_workspace = [&] {
    LeafWorkspace work;
    work.kernel_workspace = kernel_workspace();
    work.derivatives_wanted = derivatives(results);
    if (work.derivatives_wanted > 0) {
      work.derivatives.assign(static_cast<std::size_t>(9 * rhs_),
                              AlignedVector<T>(static_cast<std::size_t>(coefficient_count(
                                  multipole_derivatives_[1].derivative_order()))));
    }
    work.seconds = &each[workspaces++];
    return work;
  };
  parallel_chunks(plan_.leaves.size(), 16, make_workspace, [&](std::size_t i, LeafWorkspace& work) {
    const std::int32_t leaf = plan_.leaves[i];
    const Box& box = plan_.tree.boxes[leaf];
    if (box.target_count() == 0) return;
    work.clear(box.target_count(), rhs_, kernels_.width);
    Stopwatch stopwatch;
    if (fmm) evaluate_expansion(Harmonic::regular, leaf, leaf, work);
    if (seconds != nullptr) work.seconds->l2p += stopwatch.lap();
    for (const std::int32_t c : plan_.lists.multipole.row(leaf))
      evaluate_expansion(Harmonic::singular, c, leaf, work);
    if (seconds != nullptr) work.seconds->m2p += stopwatch.lap();
    sum_pairs(leaf, work);
    write(box, results, work);
    if (seconds != nullptr) work.seconds->p2p += stopwatch.lap();
  });
  for (const LeafSeconds& thread : each) {
    if (seconds == nullptr) break;
    const auto threads = static_cast<double>(each.size());
    seconds->l2p += thread.l2p / threads;
    seconds->m2p += thread.m2p / threads;
    seconds->p2p += thread.p2p / threads;
  }
}

#define RANKINE_INSTANTIATE(T)                                                         \
  template void CpuPasses<T>::leaves(const Results&, LeafSeconds*);                    \
  template void CpuPasses<T>::evaluate_expansion(Harmonic, std::int32_t, std::int32_t, \
                                                 LeafWorkspace&) const;                \
  template void CpuPasses<T>::list_ranges(std::int32_t, LeafWorkspace&) const;         \
  template void CpuPasses<T>::sum_pairs(std::int32_t, LeafWorkspace&) const;           \
  template void CpuPasses<T>::write(const Box&, const Results&, const LeafWorkspace&) const;
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::fmm
