#include "rankine/gpu/sums/translation_matrices.hpp"

#include <algorithm>
#include <cstdlib>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

constexpr int fragment_size = fragment_rows * fragment_rows;

/// Appends a matrix for expansions of `order` (0: none); `fragments` is the total number so far.
void add_entry(std::vector<MatrixEntry>& entries, std::int32_t& fragments, int order) {
  const std::int32_t tiles = order > 0 ? padded_coefficients(order) / fragment_rows : 0;
  entries.push_back({fragments, tiles, tiles});
  fragments += tiles * tiles;
}

/// The index of an element of a matrix with a width of `tiles` fragments.
template <class T>
RANKINE_HD std::int64_t element_position(int tiles, int row, int k) {
  return (row / fragment_rows * static_cast<std::int64_t>(tiles) + k / fragment_rows) *
             fragment_size +
         fragment_position<T>(row % fragment_rows, k % fragment_rows);
}

/// A thread writes one element of M2M, dense and row-major, and one of L2L, half the transpose.
template <class T>
__global__ void octant_kernel(const double* dense, int size, int tiles, T* m2m, T* l2l) {
  const auto row = static_cast<int>(blockIdx.y), k = static_cast<int>(thread_index());
  if (k >= size) return;
  const double value = dense[static_cast<std::int64_t>(row) * size + k];
  m2m[element_position<T>(tiles, row, k)] = static_cast<T>(value);
  l2l[element_position<T>(tiles, k, row)] = static_cast<T>(0.5 * value);
}

/// One of the M2L matrices.
template <class T>
struct M2LMatrix {
  T* fragments;
  fmm::M2LBlocks blocks;
  int order, tiles;
};

/// Degree and order, 0 <= m <= n, of the i-th pair.
struct DegreeAndOrder {
  int n = 0, m = 0;
  __device__ explicit DegreeAndOrder(int i) {
    n = static_cast<int>((sqrtf(8.0f * static_cast<float>(i) + 1.0f) - 1.0f) / 2.0f);
    while (n * (n + 1) / 2 > i) --n;
    while ((n + 1) * (n + 2) / 2 <= i) ++n;
    m = i - n * (n + 1) / 2;
  }
};

/// A thread writes a block of a matrix; grid dimension z: matrices, y: rows.
template <class T>
__global__ void m2l_kernel(const M2LMatrix<T>* matrices) {
  const M2LMatrix<T> matrix = matrices[blockIdx.z];
  const int pairs = matrix.order * (matrix.order + 1) / 2;
  const auto row = static_cast<int>(blockIdx.y), column = static_cast<int>(thread_index());
  if (row >= pairs || column >= pairs) return;
  const DegreeAndOrder to(row), from(column);
  const fmm::MatrixBlock block = matrix.blocks.block(to.n, to.m, from.n, from.m);
  const auto write = [&](int m, int k, double value) {
    matrix.fragments[element_position<T>(matrix.tiles, fmm::coefficient_index(to.n, m),
                                         fmm::coefficient_index(from.n, k))] =
        static_cast<T>(value);
  };
  write(to.m, from.m, block.cosine_cosine);
  if (from.m > 0) write(to.m, -from.m, block.cosine_sine);
  if (to.m > 0) write(-to.m, from.m, block.sine_cosine);
  if (to.m > 0 && from.m > 0) write(-to.m, -from.m, block.sine_sine);
}

}  // namespace

std::vector<std::uint8_t> reflection_signs(int order) {
  std::vector<std::uint8_t> signs(padded_coefficients(order), 0);
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m) {
      const int a = std::abs(m);
      const int x = m >= 0 ? a % 2 : (a + 1) % 2, y = m < 0 ? 1 : 0, z = (n + a) % 2;
      std::uint8_t bits = 0;
      for (int s = 0; s < 8; ++s) {
        const int parity = ((s & 1) * x + (s >> 1 & 1) * y + (s >> 2 & 1) * z) % 2;
        bits = static_cast<std::uint8_t>(bits | parity << s);
      }
      signs[fmm::coefficient_index(n, m)] = bits;
    }
  }
  return signs;
}

template <class T>
DeviceMatrices<T> m2l_matrices(const fmm::Orders& orders, const Stream& stream) {
  DeviceMatrices<T> set;
  std::int32_t fragments = 0;
  std::vector<int> order(m2l_matrix_count, 0), offset(m2l_matrix_count);
  for (int i = 0; i < m2l_matrix_count; ++i) {
    offset[i] = fmm::offset_index(i % 4, i / 4 % 4, i / 16);
    if (fmm::offset_is_far(offset[i])) order[i] = orders.m2l[offset[i]];
    add_entry(set.entries, fragments, order[i]);
  }
  set.fragments = DeviceBuffer<T>(static_cast<std::size_t>(fragments) * fragment_size, stream);
  set.fragments.zero(stream);  // the padding
  set.signs = DeviceBuffer<std::uint8_t>(reflection_signs(orders.order), stream);

  const fmm::M2LTables tables(orders.order);
  const auto size = static_cast<std::size_t>(fmm::coefficient_count(2 * orders.order - 1));
  std::vector<double> harmonics(m2l_matrix_count * size);
  parallel_chunks(m2l_matrix_count, 4, [&](std::size_t i) {
    if (order[i] == 0) return;
    const std::vector<double> of_shift = tables.harmonics(fmm::offset_vector(offset[i]));
    std::copy(of_shift.begin(), of_shift.end(),
              harmonics.begin() + static_cast<std::ptrdiff_t>(i * size));
  });
  const DeviceBuffer<double> device_harmonics(harmonics, stream), scale(tables.scale(), stream),
      choose(tables.choose(), stream);
  std::vector<M2LMatrix<T>> matrices;
  for (std::size_t i = 0; i < m2l_matrix_count; ++i) {
    const MatrixEntry& entry = set.entries[i];
    matrices.push_back(
        {set.fragments.data() + static_cast<std::int64_t>(entry.first) * fragment_size,
         {device_harmonics.data() + i * size, scale.data(), choose.data(), tables.choose_stride()},
         order[i],
         entry.k_tiles});
  }
  const DeviceBuffer<M2LMatrix<T>> device_matrices(matrices, stream);
  const auto pairs = static_cast<unsigned>(orders.order * (orders.order + 1) / 2);
  launch("M2L matrices", &m2l_kernel<T>,
         {dim3(blocks_for(pairs, loop_threads), pairs, m2l_matrix_count), dim3(loop_threads)},
         stream, device_matrices.data());
  return set;
}

template <class T>
OctantMatrices<T> octant_matrices(int order, const Stream& stream) {
  OctantMatrices<T> both;
  for (DeviceMatrices<T>* set : {&both.m2m, &both.l2l}) {
    std::int32_t fragments = 0;
    add_entry(set->entries, fragments, order);
    set->fragments = DeviceBuffer<T>(static_cast<std::size_t>(fragments) * fragment_size, stream);
    set->fragments.zero(stream);  // for the padding
    set->signs = DeviceBuffer<std::uint8_t>(reflection_signs(order), stream);
  }
  const DeviceBuffer<double> dense(
      fmm::dense_translation(fmm::Shift::multipole_to_multipole, fmm::octant_offset(7), order),
      stream);
  const int size = fmm::coefficient_count(order);
  launch(
      "M2M and L2L matrices", &octant_kernel<T>,
      {dim3(blocks_for(static_cast<std::size_t>(size), loop_threads), static_cast<unsigned>(size)),
       dim3(loop_threads)},
      stream, dense.data(), size, both.m2m.entries[0].k_tiles, both.m2m.fragments.data(),
      both.l2l.fragments.data());
  return both;
}

#define RANKINE_INSTANTIATE(T)                                                   \
  template DeviceMatrices<T> m2l_matrices<T>(const fmm::Orders&, const Stream&); \
  template OctantMatrices<T> octant_matrices<T>(int, const Stream&);
RANKINE_INSTANTIATE(float)
RANKINE_INSTANTIATE(double)
#undef RANKINE_INSTANTIATE

}  // namespace rankine::gpu
