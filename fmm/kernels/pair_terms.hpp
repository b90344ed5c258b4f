// The terms of a sum over pairs. They are fixed at compile time, so only the requested terms are
// computed.
//
// A kernel is a class like Laplace (fmm/kernels/laplace.hpp) with
//
//   under_root(r^2)    the number whose inverse root u loops compute: r^2, or r^2 softened;
//                      r = target - source
//   pair(r, u, 1/core) the part of a pair that does not depend on strengths. Loops pass u = 0 for
//                      r = 0, which excludes the pair. Only vortices have core radii
//   vortices           true if strengths are vortices, false if they are charges and dipoles
//   add<terms>(...)    adds the contribution of a pair to running_sums(terms) numbers
//   finish<terms>(sum) turns these, after the last pair, into the potential and its derivatives,
//                      components(terms) numbers
//
// in its own file of this folder, selected by fmm/kernels/kernel.hpp. SIMD and CUDA code and the
// direct sums of tests call it with their own number types, loops and inverse roots. Its objects
// contain parameters common to all pairs, such as a softening. Lengths are in units of the root box
// edge.
#pragma once

#include <type_traits>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine::fmm {

/// The kinds of strengths and the number of derivatives. For charges and dipoles 0: the potential,
/// 1: also its gradient, 2: also its second derivatives. Vortices cannot be combined with others;
/// 1: the velocity, 2: also its gradient.
struct PairTerms {
  bool charges = true, dipoles = false;
  int derivatives = 0;
  bool potential = true;  ///< false: only the gradient of charges is summed
  bool vortices = false;

  bool operator==(const PairTerms&) const = default;
};

/// Number of results per target: potential; gradient; xx xy xz yy yz zz. For vortices: velocity;
/// d u_i / d x_j at 3 i + j.
RANKINE_HD constexpr int components(PairTerms terms) {
  if (terms.vortices) return terms.derivatives < 2 ? 3 : 12;
  return terms.derivatives == 0 ? 1 : (terms.derivatives == 1 ? 4 : 10);
}
inline constexpr int gradient_at = 1, hessian_at = 4, velocity_gradient_at = 3;

/// Number of sums that a loop over pairs computes: the components, followed by sums that the
/// kernel's `finish` combines with them.
RANKINE_HD constexpr int running_sums(PairTerms terms) {
  return components(terms) + (terms.vortices && terms.derivatives > 1 ? 3 : 0);
}
inline constexpr int most_components = 12;

/// Number of derivatives d of component c, which is proportional to r^-(d + 1) at large distances.
RANKINE_HD constexpr int derivative_of(PairTerms terms, int c) {
  if (terms.vortices) return c < velocity_gradient_at ? 1 : 2;
  return c < gradient_at ? 0 : (c < hessian_at ? 1 : 2);
}

template <PairTerms value>
using PairTermsConstant = std::integral_constant<PairTerms, value>;

/// Calls work(PairTermsConstant) with these terms of charges and dipoles. Without strengths (no
/// sources) the terms are those of charges.
template <class Work>
void with_terms(bool charges, bool dipoles, int derivatives, Work&& work) {
  const auto acting = [&]<bool c, bool d>() {
    if (derivatives == 0) return work(PairTermsConstant<PairTerms{c, d, 0}>{});
    if (derivatives == 1) return work(PairTermsConstant<PairTerms{c, d, 1}>{});
    return work(PairTermsConstant<PairTerms{c, d, 2}>{});
  };
  if (!dipoles) return acting.template operator()<true, false>();
  charges ? acting.template operator()<true, true>() : acting.template operator()<false, true>();
}

/// The same for any kernel, including those whose only strengths are vortices.
template <class Kernel, class Work>
void with_terms_of(const Kernel&, bool charges, bool dipoles, int derivatives, Work&& work) {
  if constexpr (!Kernel::vortices) {
    with_terms(charges, dipoles, derivatives, work);
  } else if (derivatives < 2) {
    work(PairTermsConstant<PairTerms{.charges = false, .derivatives = 1, .vortices = true}>{});
  } else {
    work(PairTermsConstant<PairTerms{.charges = false, .derivatives = 2, .vortices = true}>{});
  }
}

/// Accuracy of the inverse distance of a pair in double, which starts from the hardware's
/// approximation; in float it is always accurate to about rounding. The error of `quick` depends on
/// the backend (fmm/tuning.hpp).
enum class Root { quick, precise };

/// a b + c, fused if the machine has such an instruction.
template <class A, class B, class C>
RANKINE_HD_INLINE C multiply_add(const A& a, const B& b, const C& c) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_floating_point_v<C>) return fma(a, b, c);
#endif
  return a * b + c;
}

}  // namespace rankine::fmm
