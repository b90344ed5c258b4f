// L2P and M2P: a warp processes a block of targets, one or two per lane, and reads the coefficients
// from shared memory.
#include "rankine/gpu/sums/point_expansions.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "rankine/fmm/kernels/pair_terms.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/pack.cuh"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

constexpr int most_warps = 4;  ///< per block

int squared(int order) { return order * order; }

/// Fewer warps per block if a warp needs much shared memory.
int warps_for(std::size_t bytes_per_warp) {
  constexpr std::size_t block_bytes = 96 * 1024;
  return static_cast<int>(std::clamp<std::size_t>(block_bytes / bytes_per_warp, 1, most_warps));
}

/// sums[s] += coefficient[k][s] * (harmonic k at (x, y, z) without its factor). The coefficients of
/// the sets are interleaved.
template <int sets, class T, class V>
__device__ __forceinline__ void evaluate(fmm::Harmonic kind, const fmm::MonicTable<T>& monic,
                                         int order, const T* coefficients, V x, V y, V z,
                                         V (&sums)[sets]) {
  const fmm::HarmonicPoint<V> at = fmm::harmonic_point(kind, x, y, z, fmm::one<V>());
  fmm::Azimuth<V> azimuth{at.start};
  for (int m = 0; m < order; ++m) {
    if (m > 0) azimuth.advance(at);
    fmm::Ascent<V> ascent{fmm::one<V>()};
    V cosine[sets] = {}, sine[sets] = {};
    for (int n = m;;) {
      const T* const of_cosine = coefficients + fmm::coefficient_index(n, m) * sets;
      const T* const of_sine = coefficients + fmm::coefficient_index(n, -m) * sets;
#pragma unroll
      for (int s = 0; s < sets; ++s) {
        cosine[s] += ascent.q * of_cosine[s];
        if (m > 0) sine[s] += ascent.q * of_sine[s];
      }
      if (++n >= order) break;
      ascent.climb(at.z, at.r2, monic.back(n, m));
    }
#pragma unroll
    for (int s = 0; s < sets; ++s) sums[s] += azimuth.cosine * cosine[s] + azimuth.sine * sine[s];
  }
}

/// Number of sets of coefficients that are evaluated together: an expansion and its derivatives (1,
/// 4 or 10), or for vortices velocities and their gradients (3 or 12).
constexpr bool of_vortices(int sets) { return sets % 3 == 0; }

/// Writes the coefficients of the harmonics without factors, interleaved, to shared memory: for one
/// expansion, or three for vortices. `size` of the `kept` coefficients are written; the map of
/// derivatives has `full`. All lanes of the warp must call it.
template <int sets, class T>
__device__ __forceinline__ void stage_expansion(const T* expansion, std::int64_t component_stride,
                                                int kept, int size, int full,
                                                const typename DerivativeMap<T>::Entry* derivatives,
                                                int width, const T* factors, T* coefficients) {
  const int lane = threadIdx.x % 32;
  constexpr int own = of_vortices(sets) ? 0 : 1, maps = sets - own;
  __syncwarp();
  for (int k = lane; own > 0 && k < size; k += 32)
    coefficients[k * sets] = k < kept ? expansion[k] * factors[k] : T(0);
  for (int r = lane; r < maps * size; r += 32) {
    T value = T(0);
    for (int i = 0; i < width; ++i) {
      const auto entry = derivatives[(i * maps + r / size) * full + r % size];
      const T* of = expansion;
      if constexpr (of_vortices(sets)) of += (entry.column >> component_bits) * component_stride;
      const std::int32_t column = entry.column & ((1 << component_bits) - 1);
      if (column < kept) value += entry.coefficient * of[column];
    }
    coefficients[r % size * sets + own + r / size] = value * factors[r % size];
  }
  __syncwarp();
}

/// The pair terms with one component per set.
template <int sets>
constexpr fmm::PairTerms terms_of_sets{.vortices = of_vortices(sets)};

/// The factor of set s: the scale to the power 1 + order of the derivative.
template <int sets, class T>
__device__ __forceinline__ T weight(int s, T scale) {
  const int derivative = fmm::derivative_of(terms_of_sets<sets>, s);
  return derivative == 0 ? scale : derivative == 1 ? scale * scale : scale * scale * scale;
}

template <class T>
struct EvaluateTask {
  const TargetBlock<T>* blocks;
  std::int32_t block_count;
  MultipoleListsView lists;
  const fmm::MonicTable<T>* monic;
  const T* factors;
  int order;        ///< of the expansions
  int basis_order;  ///< of the harmonics
  const typename DerivativeMap<T>::Entry* derivatives;
  int derivative_width;
  PointView<T> targets;
  Expansions<const T> expansions;
  SumView<T> sums;
  const std::int32_t* result_order;  ///< null: Morton order
  double inverse_side;
  const ResultView* results;
};

/// The targets of one lane: one, or two for blocks of more than 32.
template <class T>
__device__ __forceinline__ T load_lane(const T* values, int first, int second, T) {
  return values[first];
}
template <class T>
__device__ __forceinline__ Pack2<T> load_lane(const T* values, int first, int second, Pack2<T>) {
  return {values[first], values[second]};
}
template <class Visit, class T>
__device__ __forceinline__ void for_lanes(int first, int second, int end, Visit&& visit, T) {
  if (first < end) visit(first, [](T v) { return v; });
}
template <class Visit, class T>
__device__ __forceinline__ void for_lanes(int first, int second, int end, Visit&& visit, Pack2<T>) {
  visit(first, [](Pack2<T> v) { return v.a; });
  if (second < end) visit(second, [](Pack2<T> v) { return v.b; });
}

/// sums[s] += set s of the expansion of `box`, up to `order`, at (x, y, z). All lanes of the warp
/// must call it.
template <fmm::Harmonic kind, int sets, class V, class T>
__device__ __forceinline__ void expansion_at_points(const EvaluateTask<T>& task, std::int32_t box,
                                                    int order, int rhs, T* coefficients, V x, V y,
                                                    V z, V (&sums)[sets]) {
  const int basis_order = task.basis_order - task.order + order;
  const std::int64_t stride = task.expansions.rhs_stride;
  stage_expansion<sets>(task.expansions.data + rhs * (of_vortices(sets) ? 3 : 1) * stride +
                            static_cast<std::int64_t>(box) * task.expansions.stride,
                        stride, order * order, basis_order * basis_order,
                        task.basis_order * task.basis_order, task.derivatives,
                        task.derivative_width, task.factors, coefficients);
  evaluate<sets, T, V>(kind, *task.monic, basis_order, coefficients, x, y, z, sums);
}

/// Calls visit(box, order) for every multipole expansion that is evaluated at the targets of
/// `leaf`.
template <class Visit>
__device__ __forceinline__ void visit_multipoles(const MultipoleListsView& lists, std::int32_t leaf,
                                                 Visit&& visit) {
  const auto row = [](const RowsView& rows, std::int32_t b, const auto& each) {
    const fmm::RowPointers items = rows.row(b);
    for (const std::int32_t* c = items.first; c != items.last; ++c) each(*c);
  };
  for (std::int32_t b = lists.far.begin == nullptr ? -1 : leaf; b >= 0; b = lists.boxes[b].parent) {
    row(lists.far, b, [&](std::int32_t c) {
      visit(c, lists.order_at[fmm::offset_between(lists.boxes[b], lists.boxes[c])]);
    });
  }
  row(lists.own, leaf, [&](std::int32_t c) { visit(c, lists.order); });
}

/// M2P or L2P for one block, with V = T or Pack2<T>. M2P adds multipole expansions to the sums; L2P
/// writes the local expansion plus the sums to the caller's arrays.
template <fmm::Harmonic kind, int sets, class V, class T>
__device__ __forceinline__ void expansions_at_block(const EvaluateTask<T>& task,
                                                    const TargetBlock<T>& block, int rhs,
                                                    T* coefficients) {
  const int lane = threadIdx.x % 32, end = block.target_begin + block.target_count;
  const int first = block.target_begin + lane, second = first + 32;
  const int a = min(first, end - 1), b = min(second, end - 1);
  const V x = load_lane(task.targets.x, a, b, V{}), y = load_lane(task.targets.y, a, b, V{}),
          z = load_lane(task.targets.z, a, b, V{});
  if constexpr (kind == fmm::Harmonic::singular) {
    V total[sets] = {};
    const fmm::Box leaf = task.lists.boxes[block.box];
    visit_multipoles(task.lists, block.box, [&](std::int32_t c, int order) {
      const fmm::Box source = task.lists.boxes[c];
      const Vec3d shift = box_shift(leaf, source);
      const T scale = static_cast<T>(1.0 / fmm::box_edge(source));
      V sums[sets] = {};
      expansion_at_points<kind>(
          task, c, order, rhs, coefficients, (x + static_cast<T>(shift.x)) * scale,
          (y + static_cast<T>(shift.y)) * scale, (z + static_cast<T>(shift.z)) * scale, sums);
#pragma unroll
      for (int s = 0; s < sets; ++s) total[s] += sums[s] * weight<sets>(s, scale);
    });
    for_lanes(
        first, second, end,
        [&](int i, auto part) {
#pragma unroll
          for (int s = 0; s < sets; ++s)
            *component<terms_of_sets<sets>>(task.sums, s, rhs, i) += part(total[s]);
        },
        V{});
  } else {
    V sums[sets] = {};
    if (task.expansions.data != nullptr) {
      expansion_at_points<kind>(task, block.box, task.order, rhs, coefficients, x * block.scale,
                                y * block.scale, z * block.scale, sums);
    }
    for_lanes(
        first, second, end,
        [&](int i, auto part) {
          const ResultView results = *task.results;
          const std::int64_t at = rhs * task.sums.size + place_in(task.result_order, i);
#pragma unroll
          for (int s = 0; s < sets; ++s) {
            double* const to = component<terms_of_sets<sets>>(results, s, at);
            if (to == nullptr) continue;
            const T value = *component<terms_of_sets<sets>>(task.sums, s, rhs, i) +
                            part(sums[s]) * weight<sets>(s, block.scale);
            *to = static_cast<double>(value) * weight<sets>(s, task.inverse_side);
          }
        },
        V{});
  }
}

template <class T, int sets, fmm::Harmonic kind>
__global__ void __launch_bounds__(32 * most_warps)
    evaluate_kernel(const __grid_constant__ EvaluateTask<T> task) {
  extern __shared__ __align__(16) unsigned char shared[];
  const int warp = threadIdx.x / 32, index = blockIdx.x * (blockDim.x / 32) + warp;
  if (index >= task.block_count) return;
  T* const coefficients =
      reinterpret_cast<T*>(shared) + warp * sets * task.basis_order * task.basis_order;
  const TargetBlock<T> block = task.blocks[index];
  if (kind == fmm::Harmonic::singular && task.lists.far.begin == nullptr &&
      task.lists.own.size(block.box) == 0) {
    return;
  }
  if (block.target_count > 32) {
    expansions_at_block<kind, sets, Pack2<T>>(task, block, blockIdx.y, coefficients);
  } else {
    expansions_at_block<kind, sets, T>(task, block, blockIdx.y, coefficients);
  }
}

template <fmm::Harmonic kind, int sets, class T>
void launch_evaluate(const char* pass, EvaluateTask<T> task, const HarmonicTables<T>& tables,
                     int basis_order, const DeviceMap<T>& derivatives, int rhs,
                     const Stream& stream) {
  task.monic = tables.monic.data();
  task.factors = tables.factors.data();
  task.order = tables.order;
  task.basis_order = basis_order;
  task.derivatives = derivatives.entries.data();
  task.derivative_width = derivatives.width;
  const std::size_t warp_bytes = static_cast<std::size_t>(sets) * squared(basis_order) * sizeof(T);
  const int warps = warps_for(warp_bytes);
  const LaunchShape shape{dim3(blocks_for(task.block_count, warps), rhs), dim3(32 * warps),
                          warps * warp_bytes};
  launch(pass, &evaluate_kernel<T, sets, kind>, shape, stream, task);
}

/// The order of the harmonics: derivatives of multipole expansions have a higher order.
template <fmm::Harmonic kind, class T>
void launch_evaluate(const char* pass, const EvaluateTask<T>& task, const HarmonicTables<T>& tables,
                     int rhs, const Stream& stream) {
  constexpr bool regular = kind == fmm::Harmonic::regular;
  constexpr int step = regular ? 0 : 1;
  const auto& first = regular ? tables.local_first : tables.multipole_first;
  const auto& second = regular ? tables.local_second : tables.multipole_second;
  if (tables.vortices && task.sums.velocity_gradient != nullptr) {
    launch_evaluate<kind, 12>(pass, task, tables, tables.order + 2 * step, second, rhs, stream);
  } else if (tables.vortices) {
    launch_evaluate<kind, 3>(pass, task, tables, tables.order + step, first, rhs, stream);
  } else if (task.sums.hessian != nullptr) {
    launch_evaluate<kind, 10>(pass, task, tables, tables.order + 2 * step, second, rhs, stream);
  } else if (task.sums.gradient != nullptr) {
    launch_evaluate<kind, 4>(pass, task, tables, tables.order + step, first, rhs, stream);
  } else {
    launch_evaluate<kind, 1>(pass, task, tables, tables.order, first, rhs, stream);
  }
}

/// For each coefficient, the factor of its harmonic.
template <class T>
std::vector<T> monic_factors(int order) {
  std::vector<T> factors(squared(order));
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m)
      factors[fmm::coefficient_index(n, m)] = T(fmm::RecursionFactors::monic(n, std::abs(m)));
  }
  return factors;
}

template <class T>
std::vector<StepPair<T>> step_pairs(int order) {
  using Factors = fmm::RecursionFactors;
  constexpr StepPair<T> none{.coefficient = {-1, -1, -1, -1}, .factor = {}, .back = {}};
  std::vector<StepPair<T>> pairs;
  for (int m = 0; m < order; ++m) {
    for (int first = m; first < order; first += 2) {
      StepPair<T>& pair = pairs.emplace_back(none);
      for (int k = 0; k < 2 && first + k < order; ++k) {
        const int n = first + k;
        pair.coefficient[2 * k] = fmm::coefficient_index(n, m);
        if (m > 0) pair.coefficient[2 * k + 1] = fmm::coefficient_index(n, -m);
        pair.factor[k] = T(Factors::monic(n, m));
        pair.back[k] = T(Factors::monic_back(n + 1, m));
      }
    }
  }
  while (pairs.size() % step_pairs_together != 0) pairs.push_back(none);
  return pairs;
}

}  // namespace

template <class T>
HarmonicTables<T>::HarmonicTables(int order_, bool vortices_, const Stream& stream)
    : order(order_),
      vortices(vortices_),
      monic(std::vector<fmm::MonicTable<T>>(1), stream),
      factors(monic_factors<T>(order_ + 2), stream),
      steps(step_pairs<T>(order_), stream) {}

template <class T>
void HarmonicTables<T>::add_derivatives(int derivatives, const Stream& stream) {
  using enum Derivatives;
  const auto map = [&](fmm::Harmonic kind, Derivatives which, int basis_order) {
    const int size = squared(basis_order);
    return DeviceMap<T>(vortices ? curl_map<T>(kind, which, order, size)
                                 : derivative_map<T>(kind, which, order, size),
                        stream);
  };
  const int wanted =
      vortices ? std::max(1, derivatives) : derivatives;  // velocities are derivatives
  if (wanted > 0 && local_first.width == 0) {
    local_first = map(fmm::Harmonic::regular, first, order);
    multipole_first = map(fmm::Harmonic::singular, first, order + 1);
  }
  if (wanted > 1 && local_second.width == 0) {
    local_second = map(fmm::Harmonic::regular, first_and_second, order);
    multipole_second = map(fmm::Harmonic::singular, first_and_second, order + 2);
  }
}

template <class T>
std::size_t HarmonicTables<T>::bytes() const {
  return monic.bytes() + factors.bytes() + steps.bytes() + local_first.entries.bytes() +
         local_second.entries.bytes() + multipole_first.entries.bytes() +
         multipole_second.entries.bytes();
}

template <class T>
void evaluate_multipoles(const DeviceBuffer<TargetBlock<T>>& blocks, const MultipoleLists& lists,
                         const HarmonicTables<T>& tables, const PointView<T>& targets,
                         Expansions<const T> multipoles, const SumView<T>& sums, int rhs,
                         const Stream& stream) {
  EvaluateTask<T> task{};
  task.blocks = blocks.data();
  task.block_count = static_cast<std::int32_t>(blocks.size());
  task.lists = lists.view();
  task.targets = targets;
  task.expansions = multipoles;
  task.sums = sums;
  launch_evaluate<fmm::Harmonic::singular>("M2P", task, tables, rhs, stream);
}

template <class T>
void evaluate_locals(const DeviceBuffer<TargetBlock<T>>& blocks, const HarmonicTables<T>& tables,
                     const PointView<T>& targets, Expansions<const T> locals,
                     const SumView<T>& sums, const std::int32_t* order, double inverse_side,
                     const ResultView* results, int rhs, const Stream& stream) {
  EvaluateTask<T> task{};
  task.blocks = blocks.data();
  task.block_count = static_cast<std::int32_t>(blocks.size());
  task.targets = targets;
  task.expansions = locals;
  task.sums = sums;
  task.result_order = order;
  task.inverse_side = inverse_side;
  task.results = results;
  launch_evaluate<fmm::Harmonic::regular>("L2P", task, tables, rhs, stream);
}

#define RANKINE_INSTANTIATE(T)                                                                    \
  template struct HarmonicTables<T>;                                                              \
  template void evaluate_multipoles<T>(                                                           \
      const DeviceBuffer<TargetBlock<T>>&, const MultipoleLists&, const HarmonicTables<T>&,       \
      const PointView<T>&, Expansions<const T>, const SumView<T>&, int, const Stream&);           \
  template void evaluate_locals<T>(const DeviceBuffer<TargetBlock<T>>&, const HarmonicTables<T>&, \
                                   const PointView<T>&, Expansions<const T>, const SumView<T>&,   \
                                   const std::int32_t*, double, const ResultView*, int,           \
                                   const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
