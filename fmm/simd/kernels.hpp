// The table of SIMD kernels, one per instruction set; kernels<T>() selects the best one that this
// processor supports.
//
// Points are relative to the centre of their leaf, in units of the root box edge, with separate x,
// y, z arrays that may be read up to one pack beyond their end. Expansions are those of
// fmm/harmonics.hpp, order^2 coefficients each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/source_range.hpp"

namespace rankine::fmm {

/// Strengths of sources, an array for each right-hand side. Dipoles are moments or, if `along` is
/// set, strengths along directions shared by all right-hand sides.
template <class T>
struct SourceStrengths {
  const T* charge = nullptr;    ///< null: no charges
  const T* dipole[3] = {};      ///< moments, one array of directions, or vortices; null: none
  const T* along = nullptr;     ///< null: `dipole` are moments
  std::int64_t rhs_stride = 0;  ///< between right-hand sides, except for directions

  /// The strengths starting with right-hand side `k`.
  SourceStrengths from_rhs(int k) const { return moved(k * rhs_stride, along == nullptr); }
  /// The strengths starting with source `i`.
  SourceStrengths from_source(std::int64_t i) const { return moved(i, true); }

 private:
  SourceStrengths moved(std::int64_t by, bool directions) const {
    SourceStrengths result = *this;
    if (charge != nullptr) result.charge += by;
    if (along != nullptr) result.along += by;
    for (const T*& each : result.dipole) {
      if (each != nullptr && directions) each += by;
    }
    return result;
  }
};

template <class T>
struct SourceArrays {
  const T* at[3] = {};  ///< x, y, z
  SourceStrengths<T> strengths;
  const T* inverse_core = nullptr;  ///< 1/sigma of vortices, in units of 1 / root box edge
};

/// The targets of one leaf and their sums, to which results are added.
template <class T>
struct TargetSums {
  const T* at[3] = {};  ///< x, y, z
  std::int32_t count = 0;
  int derivatives = 0;           ///< number of requested derivatives, as in PairTerms
  T* sum[most_components] = {};  ///< an array per component, as in PairTerms
  std::int64_t rhs_stride = 0;
};

/// Charges that are also targets, and their sums, to which results are added.
template <class T>
struct MutualPoints {
  SourceArrays<T> sources;
  int derivatives;          ///< 0: the potential, 1: also its gradient
  T* sum[hessian_at] = {};  ///< an array per component
};

/// A leaf with its shift relative to another leaf.
template <class T>
struct MutualRange : SourceRange<T> {
  std::int32_t place;  ///< index of the first sum of its points

  std::int32_t count() const { return this->end - this->begin; }
};

/// Scalars in each of the 8 work arrays of p2p_mutual for this number of points.
constexpr std::int32_t mutual_stride(std::int32_t points, int width) {
  return (points + 2 * width - 1) / width * width;
}

/// Points in the frame of an expansion: scale * (point - origin).
template <class T>
struct ScaledPoints {
  const T* at[3] = {};  ///< x, y, z
  std::int32_t count = 0;
  T origin[3] = {};
  T scale = T(1);
};

/// An expansion to evaluate: result[i] += weight * its sum at point i.
template <class T>
struct EvaluatedExpansion {
  const T* coefficients = nullptr;
  int order = 0;
  T weight = T(1);
  T* result = nullptr;
};

/// Factors of one translation in the precision of the kernel (fmm/translation.hpp); every small
/// matrix is column-major.
template <class T>
struct TranslationFactors {
  int order = 0;
  const T *cos_phi = nullptr, *sin_phi = nullptr;
  const T* to_axis = nullptr;    ///< blocks of the rotation about y, in the order of RotationY
  const T* from_axis = nullptr;  ///< their transposes
  const T* coaxial = nullptr;
};

template <class T>
struct Kernels {
  std::string_view name;  ///< instruction set
  int width = 0;          ///< lanes

  /// P2P of one target leaf with `ranges` source ranges, `rhs` right-hand sides.
  void (*p2p)(const PairKernel& kernel, const SourceArrays<T>& sources,
              const SourceRange<T>* ranges, int range_count, const TargetSums<T>& targets, int rhs,
              Root root);

  /// P2P in both directions between the points of `leaf` and those of the leaves `others`, whose
  /// shifts are relative to `leaf`, for one right-hand side. `workspace` has 8 mutual_stride(number
  /// of points of the others) scalars.
  void (*p2p_mutual)(const PairKernel& kernel, const MutualPoints<T>& points,
                     const MutualRange<T>& leaf, std::span<const MutualRange<T>> others, Root root,
                     T* workspace);

  /// P2P of close pairs in double, from the caller's positions of all sources and of the targets of
  /// this leaf, in metres, by axis. `inverse_side` scales distances to units of the root box edge.
  /// Shifts are not used.
  void (*p2p_close)(const PairKernel& kernel, const SourceArrays<T>& sources,
                    const double* const (&source_at)[3], const SourceRange<T>* ranges,
                    int range_count, const TargetSums<double>& targets, double inverse_side,
                    int rhs);

  /// The smallest squared distance between sources and targets, to which `shift` is added first.
  /// `each_pair_once`: both are the same points.
  T(*least_distance2)
  (const T* const (&source_at)[3], std::int32_t source_begin, std::int32_t source_end,
   const T* const (&target_at)[3], std::int32_t target_begin, std::int32_t target_end,
   const T (&shift)[3], bool each_pair_once);

  // The next functions use `workspace`: workspace_size(order) scalars, beginning on a cache line.

  /// P2M or P2L of `rhs` right-hand sides, with B regular or singular and y_j the scaled points:
  ///   out[k] += sum_j charge_j B_k(y_j) + scale dipole_j . grad B_k(y_j)
  /// for k < order^2; the expansions of right-hand sides are `out_stride` apart.
  void (*accumulate)(Harmonic kind, const RecursionTable<T>& table, int order,
                     const ScaledPoints<T>& points, const SourceStrengths<T>& strengths, int rhs,
                     T* workspace, T* out, std::int64_t out_stride);

  /// L2P or M2P: evaluates `count` expansions, of orders up to `order`, at the points.
  void (*evaluate)(Harmonic kind, const RecursionTable<T>& table, int order,
                   const ScaledPoints<T>& points, const EvaluatedExpansion<T>* expansions,
                   int count, T* workspace);

  /// target[to[i]] += translation of source[from[i]] for i < count; rows of `stride` coefficients,
  /// a multiple of the width, padded with zeros. Each target row at most once.
  void (*translate)(const TranslationFactors<T>& factors, const std::int32_t* from,
                    const std::int32_t* to, std::int32_t count, const T* source, T* target,
                    std::int64_t stride, T* workspace);

  std::size_t workspace_size(int order) const {
    return static_cast<std::size_t>(4 * coefficient_count(order) + width) * width;
  }
};

template <class T>
const Kernels<T>& kernels();

/// The instruction set of the kernels used on this processor, for `info`: "AVX-512", "AVX2" or
/// "baseline".
std::string_view simd_name();

}  // namespace rankine::fmm
