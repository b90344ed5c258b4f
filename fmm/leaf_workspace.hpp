// The work arrays of a thread in the leaf pass (cpu_leaf_pass.cpp, cpu_mutual_pass.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/cpu_passes.hpp"
#include "rankine/fmm/source_range.hpp"

namespace rankine::fmm {

/// Sums of the leaves of a group: rhs x points values for every requested component (PairTerms).
template <class T>
struct CpuPasses<T>::LeafWorkspace {
  std::vector<T> sum[most_components];
  std::vector<double> close_sum[most_components];  ///< of the current leaf
  AlignedVector<T> kernel_workspace, mutual_workspace;
  /// Coefficients of up to most_components derivatives of each right-hand side.
  std::vector<AlignedVector<T>> derivatives;
  std::vector<EvaluatedExpansion<T>> sets;
  std::vector<SourceRange<T>> ranges;
  std::vector<MutualRange<T>> mutual_ranges;
  std::int64_t stride = 0;
  std::int32_t first = 0;          ///< first target of the sums
  std::int32_t at = 0;             ///< first target of the current leaf, relative to `first`
  PairTerms terms;                 ///< the requested sums; its strengths are not used
  bool mutual = false;             ///< pairs of different leaves are summed once, for both
  LeafSeconds* seconds = nullptr;  ///< may be null

  /// Prepares sums for `count` targets from `begin` on, including those of a halo.
  void clear(std::int32_t begin, std::int64_t count, int rhs, int width) {
    first = begin;
    at = 0;
    stride = count + width;
    for (int c = 0; c < components(terms); ++c) sum[c].assign(stride * rhs, T(0));
  }
  AlignedVector<T>* derivatives_of(int k) { return derivatives.data() + most_components * k; }
  T* sum_of(int component, int k) { return sum[component].data() + k * stride + at; }
  /// The sums of the current leaf, which has `count` targets.
  TargetSums<T> sums(std::int32_t count) {
    TargetSums<T> result{.count = count, .derivatives = terms.derivatives, .rhs_stride = stride};
    for (int c = 0; c < components(terms); ++c) result.sum[c] = sum_of(c, 0);
    return result;
  }
};

}  // namespace rankine::fmm
