// Pair sums in registers: every source of a tile acts on several targets of one thread. The terms
// come from a kernel of fmm/kernels/.
//
// The terms are chosen at compile time, so that a thread executes only the instructions for the
// requested ones [NHP07]:
//
//                                  float              double, quick     double, precise
//   charges, potential             7 + rsqrt          10 + rsqrt        12 + rsqrt
//   charges, potential+gradient    14 + rsqrt         16 + rsqrt        18 + rsqrt
//
// In float the inverse root is that of the hardware. In double the hardware's 64-bit approximation
// y (20 correct bits, full range of double) is improved once: with e = 1 - r^2 y^2, |e| < 1e-6,
//
//   precise   u = y (1 + e/2 + 3 e^2/8)   leaves 5 e^3/16 < 1e-17
//   quick     u = y (1 + e/2)             leaves 3 e^2/8  < 4e-13, for less accurate sums
//
// [NHP07] Nyland, Harris & Prins, Fast N-body simulation with CUDA, GPU Gems 3, ch. 31 (2007).
#pragma once

#include <type_traits>

#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::gpu {

using fmm::Root;

/// Terms encoded as a number: host and device compilers mangle kernel names with class-type
/// template arguments differently.
constexpr int coded(fmm::PairTerms terms) {
  return (terms.charges ? 1 : 0) + (terms.dipoles ? 2 : 0) + (terms.potential ? 4 : 0) +
         (terms.vortices ? 8 : 0) + 16 * terms.derivatives;
}
constexpr fmm::PairTerms decoded(int code) {
  return {.charges = (code & 1) != 0,
          .dipoles = (code & 2) != 0,
          .derivatives = code / 16,
          .potential = (code & 4) != 0,
          .vortices = (code & 8) != 0};
}

/// The definition of a pair loop: the kernel, the strengths and results (encoded), and the number
/// of right-hand sides that share one inverse distance.
template <class KernelTerm, class T, int what, int right_hand_sides, Root how = Root::precise>
struct PairKind {
  using Term = KernelTerm;
  using Real = T;
  static constexpr fmm::PairTerms terms = decoded(what);
  static constexpr int components = fmm::components(terms);
  static constexpr int running = fmm::running_sums(terms);
  static constexpr int rhs = right_hand_sides;
  static constexpr Root root = how;
};

/// The layout of a source in shared memory, which is read in 16-byte words: position, then rhs
/// charges or the inverse core radius, then rhs dipole moments or vortices.
template <class Kind>
struct alignas(16) PairSource {
  using T = typename Kind::Real;
  static constexpr int charge_at = 3;
  static constexpr int core_at = 3;
  static constexpr bool vectors = Kind::terms.dipoles || Kind::terms.vortices;
  static constexpr int dipole_at =
      charge_at + (Kind::terms.charges ? Kind::rhs : (Kind::terms.vortices ? 1 : 0));
  static constexpr int used = dipole_at + (vectors ? 3 * Kind::rhs : 0);
  static constexpr int word = 16 / sizeof(T);
  static constexpr int size = (used + word - 1) / word * word;

  T value[size];

  __device__ T charge(int k) const { return Kind::terms.charges ? value[charge_at + k] : T(0); }
  __device__ T inverse_core() const { return Kind::terms.vortices ? value[core_at] : T(0); }
  __device__ const T* dipole(int k) const { return vectors ? value + dipole_at + 3 * k : nullptr; }
};

/// Targets of one thread.
template <class Kind, int targets>
struct PairTargets {
  typename Kind::Real position[targets][3];
};

/// Sums of one thread.
template <class Kind, int targets>
struct PairSums {
  using T = typename Kind::Real;
  T value[targets][Kind::rhs][Kind::running] = {};

  /// The first component of target i and right-hand side k; the others follow.
  __device__ void finish(int i, int k) { Kind::Term::template finish<Kind::terms>(value[i][k]); }
};

/// Sums over many tiles, in double for any precision of the pairs.
template <class Kind, int targets>
struct PairTotals {
  double value[targets][Kind::rhs][Kind::components] = {};

  __device__ void add(PairSums<Kind, targets> sums) {
#pragma unroll
    for (int i = 0; i < targets; ++i) {
#pragma unroll
      for (int k = 0; k < Kind::rhs; ++k) {
        sums.finish(i, k);
#pragma unroll
        for (int c = 0; c < Kind::components; ++c)
          value[i][k][c] += static_cast<double>(sums.value[i][k][c]);
      }
    }
  }
};

/// Whether a target can coincide with a source. Such a pair contributes nothing. If `excluded`,
/// there is no test, and a coincident pair would give an infinite potential.
enum class Coincidence { excluded, possible };

template <Coincidence coincidence, Root>
__device__ __forceinline__ float inverse_distance(float r2) {
  float u;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(u) : "f"(r2));
  if constexpr (coincidence == Coincidence::possible) u = r2 > 0.0f ? u : 0.0f;
  return u;
}

/// r2 below the smallest normal number is treated as zero.
template <Coincidence coincidence, Root root>
__device__ __forceinline__ double inverse_distance(double r2) {
  double seed;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(seed) : "d"(r2));
  // The double-precision units are the bottleneck, so the upper words are processed with integer
  // instructions.
  constexpr int one = 0x00100000;  // of the exponent
  int upper = __double2hiint(seed), upper_of_half = upper - one;
  if constexpr (coincidence == Coincidence::possible) {
    const bool zero = __double2hiint(r2) < one;
    upper = zero ? 0 : upper;
    upper_of_half = zero ? 0 : upper_of_half;
  }
  const double y = __hiloint2double(upper, 0), half = __hiloint2double(upper_of_half, 0);
  if constexpr (root == Root::quick) return fma(half, fma(-r2, y * y, 1.0 + 2.8e-13), y);
  const double e = fma(-r2, y * y, 1.0);
  return fma(y * e, fma(0.375, e, 0.5), y);
}

/// True for kernels whose inverse distance is softened.
template <class Term>
constexpr bool is_softened = !std::is_same_v<Term, fmm::Laplace> && !Term::vortices;

/// The inverse distance of a kernel.
template <Coincidence coincidence, Root root, class Term, class T>
__device__ __forceinline__ T inverse_distance(const Term& term, T rx, T ry, T rz) {
  if constexpr (Term::vortices && sizeof(T) == sizeof(float)) {  // 1 if the pair contributes,
                                                                 // otherwise 0
    if constexpr (coincidence == Coincidence::excluded) return T(1);
    return fma(rx, rx, fma(ry, ry, rz * rz)) > T(0) ? T(1) : T(0);
  } else if constexpr (!is_softened<Term>) {
    return inverse_distance<coincidence, root>(fma(rx, rx, fma(ry, ry, rz * rz)));
  } else {
    const T u = inverse_distance<Coincidence::excluded, root>(term.under_root(rx, ry, rz));
    if constexpr (coincidence == Coincidence::excluded) return u;
    return fma(rx, rx, fma(ry, ry, rz * rz)) > T(0) ? u : T(0);
  }
}

/// Adds one source to all targets of the thread.
template <Coincidence coincidence, class Kind, int targets>
__device__ __forceinline__ void add_source(const typename Kind::Term& term,
                                           const PairSource<Kind>& source,
                                           const PairTargets<Kind, targets>& at,
                                           PairSums<Kind, targets>& sums) {
  using T = typename Kind::Real;
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    const T rx = at.position[i][0] - source.value[0];
    const T ry = at.position[i][1] - source.value[1];
    const T rz = at.position[i][2] - source.value[2];
    const T u = inverse_distance<coincidence, Kind::root>(term, rx, ry, rz);
    const auto pair = term.pair(rx, ry, rz, u, source.inverse_core());
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      term.template add<Kind::terms>(pair, source.charge(k), source.dipole(k), sums.value[i][k]);
    }
  }
}

/// Adds `count` sources of a tile in shared memory. All threads of a warp read the same source at a
/// time.
template <Coincidence coincidence, class Kind, int targets>
__device__ __forceinline__ void add_tile(const typename Kind::Term& term,
                                         const PairSource<Kind>* tile, int count,
                                         const PairTargets<Kind, targets>& at,
                                         PairSums<Kind, targets>& sums) {
#pragma unroll 4
  for (int j = 0; j < count; ++j) {
    const PairSource<Kind> source = tile[j];
    add_source<coincidence>(term, source, at, sums);
  }
}

/// Targets per thread: as many as fit into registers without spilling.
template <class Kind>
constexpr int targets_per_thread() {
  constexpr int words = static_cast<int>(sizeof(typename Kind::Real) / 4);
  constexpr int sums = Kind::components * Kind::rhs * words;
  return sums <= 8 ? 4 : (sums <= 16 ? 2 : 1);
}

}  // namespace rankine::gpu
