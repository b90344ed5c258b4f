// L2P and M2P on the device: expansions at points. P2M and P2L are in gpu/sums/collect.cu.
#pragma once

#include <cstdint>

#include "rankine/fmm/harmonics.hpp"
#include "rankine/gpu/sums/derivative_map.hpp"
#include "rankine/gpu/sums/expansion_products.hpp"
#include "rankine/gpu/sums/multipole_lists.hpp"
#include "rankine/gpu/sums/work_items.hpp"

namespace rankine::gpu {

/// Points in Morton order on the device.
template <class T>
struct PointView {
  const T *x, *y, *z;
};

/// Strengths in Morton order: charges rhs x size, dipoles rhs x 3 x size (moments over the root's
/// edge); null: none.
template <class T>
struct SourceView {
  PointView<T> points;
  std::int64_t size;
  const T* charges;  ///< for vortices their components, rhs x 3 x size
  const T* dipoles;
  const T* inverse_cores = nullptr;  ///< for vortices only, in inverse edges of the root
};

/// Sums in Morton order: potential rhs x size, gradient rhs x 3 x size, second derivatives (xx, xy,
/// xz, yy, yz, zz) rhs x 6 x size. Null if not requested; second derivatives only together with the
/// gradient.
template <class T>
struct SumView {
  std::int64_t size;
  T* potential;
  T* gradient;
  T* hessian = nullptr;
  // For vortices: rhs x 3 x size, rhs x 9 x size.
  T* velocity = nullptr;
  T* velocity_gradient = nullptr;
};

/// Arrays of results: rhs x size, rhs x size x 3, x 6; for vortices x 3, x 9. Null: not requested.
struct ResultView {
  double* potential;
  double* gradient;
  double* hessian = nullptr;
  double* velocity = nullptr;
  double* velocity_gradient = nullptr;
};

/// Two steps of P2M and P2L, to the harmonics (n, m) and (n + 1, m): indices of their coefficients
/// (cosine, then sine; -1: none), their factors, and the recursion factors from each of them to the
/// next.
template <class T>
struct alignas(16) StepPair {
  std::int32_t coefficient[4];
  T factor[2], back[2];
};
inline constexpr int step_pairs_together = 4;  ///< summed at a time

/// Tables for the harmonics, shared by all passes.
template <class T>
struct HarmonicTables {
  HarmonicTables() = default;
  HarmonicTables(int order, bool vortices, const Stream& stream);

  /// Builds the missing derivative maps up to that order of derivative (fmm::PairTerms).
  void add_derivatives(int derivatives, const Stream& stream);
  std::size_t bytes() const;

  int order = 0;
  bool vortices = false;
  DeviceBuffer<fmm::MonicTable<T>> monic;
  DeviceBuffer<T> factors;  ///< for all coefficients of second derivatives of multipole expansions
  DeviceBuffer<StepPair<T>> steps;  ///< in whole groups of step_pairs_together
  /// For local and for multipole expansions: first derivatives (`_first`), or first and second
  /// derivatives (`_second`); for vortices: velocities, or velocities and their gradients.
  DeviceMap<T> local_first, local_second, multipole_first, multipole_second;
};

/// M2P of any order and with second derivatives: sums += multipole expansions at the targets of the
/// blocks. For vortices `rhs` counts vectors, which have three expansions each.
template <class T>
void evaluate_multipoles(const DeviceBuffer<TargetBlock<T>>& blocks, const MultipoleLists& lists,
                         const HarmonicTables<T>& tables, const PointView<T>& targets,
                         Expansions<const T> multipoles, const SumView<T>& sums, int rhs,
                         const Stream& stream);

/// L2P and the end of an apply: results, in metres, = sums + local expansions at the targets, in
/// the caller's order, or in Morton order if `order` is null. `results` is in device memory, so
/// that a captured graph can be used with other arrays. If locals are null: only the sums.
template <class T>
void evaluate_locals(const DeviceBuffer<TargetBlock<T>>& blocks, const HarmonicTables<T>& tables,
                     const PointView<T>& targets, Expansions<const T> locals,
                     const SumView<T>& sums, const std::int32_t* order, double inverse_side,
                     const ResultView* results, int rhs, const Stream& stream);

}  // namespace rankine::gpu
