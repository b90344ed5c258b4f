// The layout of the components of pair sums, and the selection of the kernel that computes them.
#pragma once

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// The address of component c of the sums of a target (fmm/kernels/pair_terms.hpp).
template <fmm::PairTerms terms = fmm::PairTerms{}, class T>
__device__ __forceinline__ T* component(const SumView<T>& sums, int c, int rhs,
                                        std::int64_t target) {
  if constexpr (terms.vortices) {
    if (c < fmm::velocity_gradient_at) return sums.velocity + (3 * rhs + c) * sums.size + target;
    return sums.velocity_gradient + (9 * rhs + c - fmm::velocity_gradient_at) * sums.size + target;
  }
  if (c < fmm::gradient_at) return sums.potential + rhs * sums.size + target;
  if (c < fmm::hessian_at)
    return sums.gradient + (3 * rhs + c - fmm::gradient_at) * sums.size + target;
  return sums.hessian + (6 * rhs + c - fmm::hessian_at) * sums.size + target;
}

/// The address of component c of the results of target number `at` in their order; null if it is
/// not requested.
template <fmm::PairTerms terms = fmm::PairTerms{}>
__device__ __forceinline__ double* component(const ResultView& results, int c, std::int64_t at) {
  const auto place = [&](double* first, int width, int begin) {
    return first == nullptr ? nullptr : first + width * at + c - begin;
  };
  if constexpr (terms.vortices) {
    if (c < fmm::velocity_gradient_at) return place(results.velocity, 3, 0);
    return place(results.velocity_gradient, 9, fmm::velocity_gradient_at);
  }
  if (c < fmm::gradient_at) return place(results.potential, 1, 0);
  if (c < fmm::hessian_at) return place(results.gradient, 3, fmm::gradient_at);
  return place(results.hessian, 6, fmm::hessian_at);
}

/// The index of a target's results. `order` is null if results are in Morton order.
__device__ __forceinline__ std::int64_t place_in(const std::int32_t* order, std::int32_t target) {
  return order == nullptr ? target : order[target];
}

/// Calls work(kernel object, PairTermsConstant) for the given strengths and the requested sums. The
/// kernel object uses numbers of type S.
template <class S, class T, class Work>
void with_kernel_and_terms(const fmm::PairKernel& kernel, const SourceView<T>& sources,
                           const SumView<T>& sums, Work&& work) {
  const bool second = sums.hessian != nullptr || sums.velocity_gradient != nullptr;
  const int derivatives = second ? 2 : (sums.gradient != nullptr ? 1 : 0);
  fmm::with_kernel<S>(kernel, [&](auto term) {
    fmm::with_terms_of(term, sources.charges != nullptr, sources.dipoles != nullptr, derivatives,
                       [&](auto terms) { work(term, terms); });
  });
}

}  // namespace rankine::gpu
