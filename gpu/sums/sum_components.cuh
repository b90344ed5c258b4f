// Sums of pairs as kernels write them: where their components lie, and which kernel computes them.
#pragma once

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// Where component c of the sums of a target lies (fmm/kernels/pair_terms.hpp).
template <class T>
__device__ __forceinline__ T* component(const SumView<T>& sums, int c, int rhs,
                                        std::int64_t target) {
  if (c < fmm::gradient_at) return sums.potential + rhs * sums.size + target;
  if (c < fmm::hessian_at)
    return sums.gradient + (3 * rhs + c - fmm::gradient_at) * sums.size + target;
  return sums.hessian + (6 * rhs + c - fmm::hessian_at) * sums.size + target;
}

/// Calls work(kernel's object, PairTermsConstant) for the strengths that act and the sums wanted. The object has numbers S.
template <class S, class T, class Work>
void with_kernel_and_terms(const fmm::PairKernel& kernel, const SourceView<T>& sources,
                           const SumView<T>& sums, Work&& work) {
  const int derivatives = sums.hessian != nullptr ? 2 : (sums.gradient != nullptr ? 1 : 0);
  fmm::with_scalar_kernel<S>(kernel, [&](auto term) {
    fmm::with_terms(sources.charges != nullptr, sources.dipoles != nullptr, derivatives,
                    [&](auto terms) { work(term, terms); });
  });
}

}  // namespace rankine::gpu
