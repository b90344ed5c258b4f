#include <cub/block/block_radix_sort.cuh>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/panels/clusters.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/elements/equation_view.cuh"
#include "rankine/gpu/elements/patch_matrix.cuh"
#include "rankine/gpu/elements/shared_table.cuh"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

__global__ void __launch_bounds__(loop_threads) sum_shares(const __grid_constant__ EquationView a) {
  const std::int64_t j = thread_index();
  if (j >= a.size) return;
  double sum = 0.0;
  for (std::int64_t k = a.shares.offsets[j]; k < a.shares.offsets[j + 1]; ++k)
    sum += a.shares.values[k];
  a.weight[j] = sum;
}

/// The clusters of bem::Clusters, and their patches.
struct PatchesView {
  const std::int32_t* order;  ///< ascending in each cluster
  const std::int64_t* first;  ///< clusters + 1
  int most;                   ///< unknowns in a patch
  std::int32_t* unknowns;     ///< clusters x most: those of the cluster first
  std::int32_t* sizes;        ///< of patches
  std::int64_t* row_sizes;    ///< per row, and a zero
  int* overflows;
};

constexpr int select_threads = 128, candidates_of_thread = 32,
              candidates = select_threads * candidates_of_thread;

/// Selects the unknowns of each patch: those of the cluster, and those with the largest coupling
/// per weight to a row of the cluster. One block per cluster. The result does not depend on the
/// order in which threads work.
__global__ void __launch_bounds__(select_threads)
    select_patches(const __grid_constant__ EquationView a, const __grid_constant__ PatchesView p) {
  using Sort = cub::BlockRadixSort<std::uint64_t, select_threads, candidates_of_thread>;
  __shared__ union {
    struct {
      int keys[candidates];
      unsigned coupling[candidates];
    } table;
    typename Sort::TempStorage sort;
  } shared;
  __shared__ int full;
  const Table<candidates> table{shared.table.keys};
  table.clear();
  for (int k = threadIdx.x; k < candidates; k += select_threads) shared.table.coupling[k] = 0u;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();

  const std::int64_t begin = p.first[blockIdx.x], end = p.first[blockIdx.x + 1];
  const auto add = [&](std::int32_t unknown, unsigned coupling) {
    const int slot = full != 0 ? -1 : table.insert(unknown);
    if (slot < 0) {
      full = 1;
    } else {
      atomicMax(shared.table.coupling + slot, coupling);
    }
  };
  const auto add_entry = [&](std::int32_t unknown, double entry) {
    add(unknown, __float_as_uint(static_cast<float>(fabs(entry) / a.weight[unknown])));
  };
  const int lane = threadIdx.x % 32;
  for (std::int64_t r = begin + threadIdx.x / 32; r < end; r += select_threads / 32) {
    const std::int32_t i = p.order[r];
    for (std::int64_t k = a.pairs.offsets[i] + lane; k - lane < a.pairs.offsets[i + 1]; k += 32) {
      const bool exists = k < a.pairs.offsets[i + 1];
      const std::int32_t j = exists ? a.pairs.column[k] : 0;
      const bool is_spread = exists && j >= a.first_spread;
      if (exists && !is_spread) add_entry(j, a.near_entry(i, j, k));
      for (unsigned left = __ballot_sync(~0U, is_spread); left != 0; left &= left - 1) {
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const double of_nodes = a.nodes_entry_of_warp(i, __shfl_sync(~0U, j, owner));
        if (lane == owner) add_entry(j, of_nodes + a.correction(i, j, k));
      }
    }
    if (a.sparse.rows > 0) {
      for (std::int64_t k = a.sparse.offsets[i] + lane; k < a.sparse.offsets[i + 1]; k += 32)
        add_entry(a.sparse.column[k], a.sparse.values[k]);
    }
    if (lane == 0) add(i, 0xffffffffu);
  }
  __syncthreads();
  if (full != 0) {
    if (threadIdx.x == 0) *p.overflows = 1;
    return;
  }

  // By coupling, descending, then by number.
  std::uint64_t sorted[candidates_of_thread];
  for (int k = 0; k < candidates_of_thread; ++k) {
    const int slot = threadIdx.x * candidates_of_thread + k;
    const int key = shared.table.keys[slot];
    const auto rest = static_cast<std::uint64_t>(~shared.table.coupling[slot]);
    sorted[k] = key < 0 ? ~std::uint64_t{0} : rest << 32 | static_cast<std::uint64_t>(key);
  }
  __syncthreads();
  Sort(shared.sort).Sort(sorted);
  int used = 0;
  for (int k = 0; k < candidates_of_thread; ++k) {
    const int at = threadIdx.x * candidates_of_thread + k;
    if (sorted[k] == ~std::uint64_t{0} || at >= p.most) continue;
    p.unknowns[static_cast<std::int64_t>(blockIdx.x) * p.most + at] =
        static_cast<std::int32_t>(sorted[k] & 0xffffffffu);
    ++used;
  }
  __syncthreads();
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (used > 0) atomicAdd(&full, used);
  __syncthreads();
  if (threadIdx.x == 0) p.sizes[blockIdx.x] = full;
  for (std::int64_t r = begin + threadIdx.x; r < end; r += select_threads)
    p.row_sizes[p.order[r]] = full;
}

constexpr int most_unknowns = 512, table_of_patch = 2 * most_unknowns;

/// Shared memory for patches of at most `most` unknowns, in bytes. The table is not used while the
/// matrix is inverted.
std::size_t bytes_of_patch(int most) {
  return std::max(PatchMatrix::shared_bytes(most), 2 * sizeof(int) * table_of_patch);
}

/// A patch of the equation as a dense matrix, in which the cluster comes last.
struct Patch {
  int in_cluster;
  PatchMatrix matrix;
  Table<table_of_patch> table;
  int* places;  ///< per slot of the table

  __device__ Patch(void* shared, float* memory, int unknowns, int of_cluster, int most)
      : in_cluster(of_cluster),
        matrix(shared, memory, unknowns, unknowns - of_cluster, most),
        table{static_cast<int*>(shared)},
        places(table.keys + table_of_patch) {}

  /// The row and column of unknown k of the patch. The cluster has the first unknowns.
  __device__ int place_of(int k) const {
    return k < in_cluster ? matrix.around + k : k - in_cluster;
  }

  __device__ void fill(const EquationView& of, const std::int32_t* unknowns) const {
    table.clear();
    __syncthreads();
    for (int k = threadIdx.x; k < matrix.size; k += invert_threads)
      places[table.insert(unknowns[k])] = place_of(k);
    for (int k = threadIdx.x; k < matrix.size * matrix.size; k += invert_threads) {
      const std::int32_t i = unknowns[k / matrix.size], j = unknowns[k % matrix.size];
      if (j < of.first_spread)
        matrix.at(place_of(k / matrix.size), place_of(k % matrix.size)) =
            static_cast<float>(of.far_entry(i, j));
    }
    fill_spread_columns(of, unknowns);
    __syncthreads();
    for (int k = threadIdx.x / 32; k < matrix.size; k += invert_threads / 32) {
      const std::int32_t i = unknowns[k];
      for (std::int64_t e = of.pairs.offsets[i] + threadIdx.x % 32; e < of.pairs.offsets[i + 1];
           e += 32) {
        const std::int32_t j = of.pairs.column[e];
        const int slot = table.find(j);
        if (slot < 0) continue;
        float& entry = matrix.at(place_of(k), places[slot]);
        if (j < of.first_spread) {
          entry = static_cast<float>(of.near_entry(i, j, e));
        } else {
          entry += static_cast<float>(of.correction(i, j, e));
        }
      }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < matrix.size; k += invert_threads)
      add_rest(of, unknowns[k], place_of(k));
    __syncthreads();
  }

  /// Without near corrections.
  __device__ void fill_spread_columns(const EquationView& of, const std::int32_t* unknowns) const {
    for (int column = 0; column < matrix.size; ++column) {
      const std::int32_t j = unknowns[column];
      if (j < of.first_spread) continue;
      for (int row = threadIdx.x / 32; row < matrix.size; row += invert_threads / 32) {
        const double sum = of.nodes_entry_of_warp(unknowns[row], j);
        if (threadIdx.x % 32 == 0)
          matrix.at(place_of(row), place_of(column)) = static_cast<float>(sum);
      }
    }
  }

  /// Near corrections for linear strengths, the equation's matrix, and the jump.
  __device__ void add_rest(const EquationView& of, std::int32_t i, int row) const {
    const auto add = [&](std::int32_t unknown, double value) {
      const int slot = table.find(unknown);
      if (slot >= 0) matrix.at(row, places[slot]) += static_cast<float>(value);
    };
    for (int t = 0; t < of.terms; ++t) {
      const TermView& term = of.term[t];
      const double left = term.left[i];
      if (term.moments.rows == 0 || left == 0.0) continue;
      for (std::int64_t k = term.moments.offsets[i]; k < term.moments.offsets[i + 1]; ++k) {
        const std::int32_t slope = term.moments.column[k];
        const double moment = left * term.moments.values[k];
        for (std::int64_t g = of.gradients.offsets[slope]; g < of.gradients.offsets[slope + 1];
             ++g) {
          const std::int32_t j = of.gradients.column[g];
          add(j, moment * of.gradients.values[g] * term.right[j]);
        }
      }
    }
    if (of.sparse.rows > 0) {
      for (std::int64_t k = of.sparse.offsets[i]; k < of.sparse.offsets[i + 1]; ++k)
        add(of.sparse.column[k], of.sparse.values[k]);
    }
    matrix.at(row, row) += static_cast<float>(of.jump[i]);
  }

  /// The entry of the inverse for unknowns `row` of the cluster and `column` of the patch.
  __device__ float inverse(int row, int column) const {
    return matrix.inverse(matrix.around + row, place_of(column));
  }
  __device__ bool is_finite() const {
    bool finite = true;
    for (int k = threadIdx.x; k < in_cluster * matrix.size; k += invert_threads)
      finite = finite && isfinite(inverse(k / matrix.size, k % matrix.size));
    return __syncthreads_and(finite) != 0;
  }
};

/// Writes the rows of each cluster. Each block has a matrix and every gridDim.x-th cluster.
__global__ void __launch_bounds__(invert_threads)
    invert_patches(const __grid_constant__ EquationView a, const __grid_constant__ PatchesView p,
                   std::int64_t clusters, float* matrices, const std::int64_t* offsets,
                   std::int32_t* columns, double* values) {
  extern __shared__ float shared[];
  float* const matrix =
      matrices + static_cast<std::int64_t>(blockIdx.x) * p.most * PatchMatrix::stride_of(p.most);
  for (std::int64_t cluster = blockIdx.x; cluster < clusters; cluster += gridDim.x) {
    const std::int64_t begin = p.first[cluster];
    const int rows = static_cast<int>(p.first[cluster + 1] - begin);
    const std::int32_t* const unknowns = p.unknowns + cluster * p.most;
    const Patch patch(shared, matrix, p.sizes[cluster], rows, p.most);
    patch.fill(a, unknowns);
    patch.matrix.invert();
    // A patch may be singular although the whole matrix is not. Then the identity is used for it.
    const bool finite = patch.is_finite();
    for (int k = threadIdx.x; k < rows * patch.matrix.size; k += invert_threads) {
      const int row = k / patch.matrix.size, column = k % patch.matrix.size;
      const std::int64_t at = offsets[p.order[begin + row]] + column;
      columns[at] = unknowns[column];
      values[at] = finite ? patch.inverse(row, column) : row == column ? 1.0 : 0.0;
    }
    __syncthreads();
  }
}

/// Diagonals on the device.
class Diagonals {
 public:
  explicit Diagonals(const Stream& stream) : stream_(stream) {}
  DiagonalView add(const bem::Diagonal& diagonal, double factor) {
    DiagonalView view{factor * diagonal.factor};
    if (!diagonal.is_uniform()) view.values = kept_.emplace_back(diagonal.values, stream_).data();
    return view;
  }

 private:
  const Stream& stream_;
  std::vector<DeviceBuffer<double>> kept_;
};

}  // namespace

std::unique_ptr<bem::SparseMatrix> device_patch_inverse(bem::LayerSet& layers,
                                                        const bem::Equation& equation,
                                                        const bem::LocalInverseOptions& options,
                                                        std::shared_ptr<const Stream> stream) {
  const bem::Discretization& discretization = layers.discretization();
  const std::size_t n = layers.unknowns();
  if (options.patch > most_unknowns) return nullptr;
  const auto shares = transposed(layers.strengths(), stream);
  const DeviceCopy<Vec3d> points(discretization.targets(), *stream),
      normals(discretization.target_normals(), *stream), nodes(discretization.nodes(), *stream),
      node_normals(discretization.node_normals(), *stream);
  DeviceBuffer<double> weight(n, *stream);
  Diagonals diagonals(*stream);
  EquationView a{.size = static_cast<std::int64_t>(n),
                 .first_spread = static_cast<std::int64_t>(discretization.first_spread_unknown()),
                 .terms = 0,
                 .jump = diagonals.add(equation.jump, 1.0),
                 .shares = view_of(*shares),
                 .points = points.data(),
                 .normals = normals.data(),
                 .nodes = nodes.data(),
                 .node_normals = node_normals.data(),
                 .weight = weight.data()};
  for (const bem::Term& each : equation.terms) {
    if (each.left.is_zero() || each.right.is_zero()) continue;
    TermView& term = a.term[a.terms++];
    a.pairs = view_of(layers.near(each.layer));
    term = {.layer = each.layer,
            .left = diagonals.add(each.left, 1.0),
            .right = diagonals.add(each.right, bem::inverse_four_pi),
            .near = a.pairs.values};
    // As on the host (bem/layers/near_matrix.cpp), only beside wakes.
    if (discretization.first_spread_unknown() == n || layers.moments(each.layer) == nullptr)
      continue;
    term.moments = view_of(*layers.moments(each.layer));
    a.gradients = view_of(layers.gradients());
  }
  if (a.terms == 0) return nullptr;
  std::unique_ptr<bem::SparseMatrix> sparse;
  if (equation.sparse) {
    sparse = make_cuda_sparse(*equation.sparse, stream);
    a.sparse = view_of(*sparse);
  }
  launch("weights of unknowns", &sum_shares, one_thread_each(n), *stream, a);

  bem::Clusters clusters =
      bem::make_clusters(discretization.points(), static_cast<std::size_t>(options.cluster));
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const auto begin = clusters.order.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(clusters.first[c]),
              begin + static_cast<std::ptrdiff_t>(clusters.first[c + 1]));
  }
  const DeviceBuffer<std::int32_t> order(clusters.order, *stream);
  const std::vector<std::int64_t> bounds(clusters.first.begin(), clusters.first.end());
  const DeviceBuffer<std::int64_t> first(bounds, *stream);
  DeviceBuffer<std::int32_t> unknowns(clusters.size() * static_cast<std::size_t>(options.patch),
                                      *stream),
      sizes(clusters.size(), *stream);
  auto pattern = std::make_shared<DevicePattern>();
  pattern->offsets = {n + 1, *stream};
  pattern->offsets.zero(*stream);
  DeviceBuffer<int> overflows(1, *stream);
  overflows.zero(*stream);
  const PatchesView p{order.data(),    first.data(), options.patch,
                      unknowns.data(), sizes.data(), pattern->offsets.data(),
                      overflows.data()};
  const dim3 blocks(static_cast<unsigned>(clusters.size()));
  launch("selection of patches", &select_patches, {blocks, dim3(select_threads)}, *stream, a, p);
  sum_before(pattern->offsets, *stream);
  int too_many = 0;
  std::int64_t total = 0;
  download_bytes(&too_many, overflows.data(), sizeof too_many, *stream);
  download_bytes(&total, pattern->offsets.data() + n, sizeof total, *stream);
  stream->synchronize();
  if (too_many != 0) return nullptr;
  const auto entries = static_cast<std::size_t>(total);
  stream->context()->require_memory(
      entries * (sizeof(std::int32_t) + sizeof(double)),
      "A preconditioner of " + std::to_string(total) + " entries",
      "Use fewer panels, solver.preconditioner = \"none\", or --backend cpu.");
  pattern->columns = {entries, *stream};
  DeviceBuffer<double> values(entries, *stream);
  const std::size_t working =
      std::min(clusters.size(), blocks_at_once("inversion of patches", &invert_patches,
                                               invert_threads, bytes_of_patch(options.patch)));
  DeviceBuffer<float> matrices(
      working * static_cast<std::size_t>(options.patch * PatchMatrix::stride_of(options.patch)),
      *stream);
  launch(
      "inversion of patches", &invert_patches,
      {dim3(static_cast<unsigned>(working)), dim3(invert_threads), bytes_of_patch(options.patch)},
      *stream, a, p, static_cast<std::int64_t>(clusters.size()), matrices.data(),
      static_cast<const std::int64_t*>(pattern->offsets.data()), pattern->columns.data(),
      values.data());
  return make_cuda_sparse(n, std::move(pattern), std::move(values), std::move(stream));
}

}  // namespace rankine::gpu
