#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/mutual_sums.hpp"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

constexpr int find_threads = 128;

template <class T>
struct FindTask {
  const TargetBlock<T>* blocks;
  std::int32_t block_count;
  const SourceRange<T>* ranges;
  const CloseReach* reach;
  PointView<T> sources, targets;
  GivenPoints given_sources, given_targets;
  std::uint8_t* close;
};

__device__ inline bool apart(const Vec3d& a, const Vec3d& b) {
  return a.x != b.x || a.y != b.y || a.z != b.z;
}

/// A warp processes a block of targets, one target per lane at a time.
template <class T>
__global__ void __launch_bounds__(find_threads)
    find_kernel(const __grid_constant__ FindTask<T> task) {
  const auto index = static_cast<std::int32_t>(blockIdx.x * (find_threads / 32) + threadIdx.x / 32);
  if (index >= task.block_count) return;
  const TargetBlock<T> block = task.blocks[index];
  for (std::int32_t t = static_cast<std::int32_t>(threadIdx.x % 32); t < block.target_count;
       t += 32) {
    const std::int32_t i = block.target_begin + t;
    const T x = task.targets.x[i], y = task.targets.y[i], z = task.targets.z[i];
    for (std::int32_t r = block.near_begin; r < block.near_end; ++r) {
      const SourceRange<T> range = task.ranges[r];
      const T sx = x + range.shift[0], sy = y + range.shift[1], sz = z + range.shift[2];
      const auto reach = static_cast<T>(task.reach[r].reach);
      if (abs(sx) > reach || abs(sy) > reach || abs(sz) > reach) continue;
      const auto limit2 = static_cast<T>(task.reach[r].limit2);
      for (std::int32_t j = range.begin; j < range.end; ++j) {
        const T rx = sx - task.sources.x[j], ry = sy - task.sources.y[j],
                rz = sz - task.sources.z[j];
        if (rx * rx + ry * ry + rz * rz > limit2) continue;
        if (apart(task.given_targets.at[task.given_targets.order[i]],
                  task.given_sources.at[task.given_sources.order[j]]))
          task.close[r] = 1;
      }
    }
  }
}

template <class Term, class T>
struct CloseTask {
  Term term;  ///< in double
  const CloseBlock* blocks;
  const SourceRange<T>* ranges;
  PointView<double> source_at, target_at;
  double inverse_side;
  SourceView<T> sources;
  SumView<T> sums;
  const std::int32_t* order;
  const ResultView* results;
};

/// A thread block per CloseBlock, a thread per target; gridDim.y is the number of right-hand sides.
template <class Term, fmm::PairTerms terms, class T>
__global__ void __launch_bounds__(block_targets)
    close_kernel(const __grid_constant__ CloseTask<Term, T> task) {
  const CloseBlock block = task.blocks[blockIdx.x];
  const int rhs = static_cast<int>(blockIdx.y);
  if (static_cast<std::int32_t>(threadIdx.x) >= block.target_count) return;
  const std::int32_t target = block.target_begin + static_cast<std::int32_t>(threadIdx.x);
  const double x = task.target_at.x[target], y = task.target_at.y[target],
               z = task.target_at.z[target];
  double sum[fmm::running_sums(terms)] = {};
  for (std::int32_t r = block.range_begin; r < block.range_end; ++r) {
    for (std::int32_t j = task.ranges[r].begin; j < task.ranges[r].end; ++j) {
      const double rx = (x - task.source_at.x[j]) * task.inverse_side,
                   ry = (y - task.source_at.y[j]) * task.inverse_side,
                   rz = (z - task.source_at.z[j]) * task.inverse_side;
      const double r2 = fma(rx, rx, fma(ry, ry, rz * rz));
      double charge = 0.0, dipole[3] = {};
      if constexpr (terms.charges) charge = task.sources.charges[rhs * task.sources.size + j];
      double inverse_core = 0.0;
      if constexpr (terms.vortices) {
        inverse_core = task.sources.inverse_cores[j];
        for (int axis = 0; axis < 3; ++axis)
          dipole[axis] = task.sources.charges[(3 * rhs + axis) * task.sources.size + j];
      }
      if constexpr (terms.dipoles) {
        for (int axis = 0; axis < 3; ++axis)
          dipole[axis] = task.sources.dipoles[(3 * rhs + axis) * task.sources.size + j];
      }
      const double u = r2 > 0.0 ? 1.0 / sqrt(task.term.under_root(r2)) : 0.0;
      const auto pair = task.term.pair(rx, ry, rz, u, inverse_core);
      task.term.template add<terms>(pair, charge, dipole, sum);
    }
  }
  task.term.template finish<terms>(sum);
  const ResultView results = *task.results;
  const std::int64_t place = place_in(task.order, target);
  for (int c = 0; c < fmm::components(terms); ++c) {
    double* const to = component<terms>(results, c, rhs * task.sums.size + place);
    double scale = task.inverse_side;
    for (int d = 0; d < fmm::derivative_of(terms, c); ++d) scale *= task.inverse_side;
    if (to != nullptr) *to += sum[c] * scale;
  }
}

}  // namespace

template <class T>
DeviceBuffer<std::uint8_t> find_close(const WorkItems<T>& work, const PointView<T>& sources,
                                      const PointView<T>& targets, const GivenPoints& given_sources,
                                      const GivenPoints& given_targets, const Stream& stream) {
  const auto blocks = static_cast<std::int32_t>(work.target_blocks.size());
  DeviceBuffer<std::uint8_t> close(work.near.size(), stream);
  close.zero(stream);
  const FindTask<T> task{work.target_blocks.data(),
                         blocks,
                         work.near.data(),
                         work.near_reach.data(),
                         sources,
                         targets,
                         given_sources,
                         given_targets,
                         close.data()};
  const LaunchShape shape{dim3(blocks_for(blocks, find_threads / 32)), dim3(find_threads)};
  launch("finding close pairs", &find_kernel<T>, shape, stream, task);
  return close;
}

template DeviceBuffer<std::uint8_t> find_close<float>(const WorkItems<float>&,
                                                      const PointView<float>&,
                                                      const PointView<float>&, const GivenPoints&,
                                                      const GivenPoints&, const Stream&);
template DeviceBuffer<std::uint8_t> find_close<double>(const WorkItems<double>&,
                                                       const PointView<double>&,
                                                       const PointView<double>&, const GivenPoints&,
                                                       const GivenPoints&, const Stream&);

template <class T>
void sum_close(const fmm::PairKernel& kernel, const DeviceBuffer<CloseBlock>& blocks,
               const DeviceBuffer<SourceRange<T>>& ranges, const PointView<double>& source_at,
               const PointView<double>& target_at, double inverse_side,
               const SourceView<T>& sources, const SumView<T>& sums, const std::int32_t* order,
               const ResultView* results, int rhs, const Stream& stream) {
  with_kernel_and_terms<double>(kernel, sources, sums, [&](auto term, auto terms) {
    using Term = decltype(term);
    const CloseTask<Term, T> task{term,         blocks.data(), ranges.data(), source_at, target_at,
                                  inverse_side, sources,       sums,          order,     results};
    const LaunchShape shape{dim3(static_cast<unsigned>(blocks.size()), static_cast<unsigned>(rhs)),
                            dim3(block_targets)};
    launch("P2P of close pairs", &close_kernel<Term, terms(), T>, shape, stream, task);
  });
}

template void sum_close<float>(const fmm::PairKernel&, const DeviceBuffer<CloseBlock>&,
                               const DeviceBuffer<SourceRange<float>>&, const PointView<double>&,
                               const PointView<double>&, double, const SourceView<float>&,
                               const SumView<float>&, const std::int32_t*, const ResultView*, int,
                               const Stream&);
template void sum_close<double>(const fmm::PairKernel&, const DeviceBuffer<CloseBlock>&,
                                const DeviceBuffer<SourceRange<double>>&, const PointView<double>&,
                                const PointView<double>&, double, const SourceView<double>&,
                                const SumView<double>&, const std::int32_t*, const ResultView*, int,
                                const Stream&);

}  // namespace rankine::gpu
