// What a sum over pairs computes, fixed at compile time so that nothing but the terms asked for is
// issued.
//
// A kernel is a class like Laplace (fmm/kernels/laplace.hpp) with
//
//   under_root(r^2)    what loops take the inverse root u of: r^2, softened; r = target - source
//   pair(r, u, 1/core) what all strengths of a pair share; u = 0 leaves the pair out, which loops say of
//                      r = 0, whatever is under the root; core radii are of vortices, others do not read them
//   vortices           true where strengths are vortices, false where charges and dipoles
//   add<terms>(...)    adds what a pair does to running_sums(terms) numbers
//   finish<terms>(sum) makes these the potential and its derivatives, components(terms) numbers, once all
//                      pairs are added
//
// in a file of its own here, chosen by fmm/kernels/kernel.hpp. SIMD, CUDA and the direct sums of
// tests call it with their own numbers, loops and roots. Its objects carry what all pairs share, such as
// a softening; lengths are in edges of the root box.
#pragma once

#include <type_traits>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine::fmm {

/// Strengths that act and derivatives that are wanted: 0 the potential, 1 its gradient as well, 2
/// second derivatives as well. Of vortices, which act alone: 1 the velocity, 2 its gradient as well.
struct PairTerms {
  bool charges = true, dipoles = false;
  int derivatives = 0;
  bool potential = true;  ///< else it is left out of the sums, of charges' gradients
  bool vortices = false;

  bool operator==(const PairTerms&) const = default;
};

/// Numbers that a pair adds to: potential; gradient; xx xy xz yy yz zz. Of vortices: velocity; d u_i / d x_j
/// at 3 i + j.
RANKINE_HD constexpr int components(PairTerms terms) {
  if (terms.vortices) return terms.derivatives < 2 ? 3 : 12;
  return terms.derivatives == 0 ? 1 : (terms.derivatives == 1 ? 4 : 10);
}
inline constexpr int gradient_at = 1, hessian_at = 4, velocity_gradient_at = 3;

/// Numbers that a loop over pairs carries: the components, and behind them those that a kernel's `finish`
/// folds into them.
RANKINE_HD constexpr int running_sums(PairTerms terms) {
  return components(terms) + (terms.vortices && terms.derivatives > 1 ? 3 : 0);
}
inline constexpr int most_components = 12;

/// How often component c is differentiated: it goes like the inverse distance to one power more.
RANKINE_HD constexpr int derivative_of(PairTerms terms, int c) {
  if (terms.vortices) return c < velocity_gradient_at ? 1 : 2;
  return c < gradient_at ? 0 : (c < hessian_at ? 1 : 2);
}

template <PairTerms value>
using PairTermsConstant = std::integral_constant<PairTerms, value>;

/// Calls work(PairTermsConstant) with these terms of charges and dipoles; without strengths, as for no sources, with
/// charges.
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

/// The same for a kernel, of which vortices may be the only strengths.
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

/// How far the inverse distance of a pair is improved in double, after the hardware's first guess;
/// in float that is always to about rounding. What `quick` loses is a backend's (fmm/tuning.hpp).
enum class Root { quick, precise };

/// a b + c, fused where the machine can.
template <class A, class B, class C>
RANKINE_HD_INLINE C multiply_add(const A& a, const B& b, const C& c) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_floating_point_v<C>) return fma(a, b, c);
#endif
  return a * b + c;
}

}  // namespace rankine::fmm
