// Matrices of the translations between expansions, arranged for the tensor cores.
//
// One matrix is used for many translations, because expansions are in units of the box and because
// the real harmonics have parity: reflecting an axis multiplies every coefficient by +1 or -1,
//
//   matrix(s t) = D(s) matrix(t) D(s) ,   D(s) diagonal with entries +-1.
//
// So the 316 relative positions of M2L need only the 56 matrices of the offsets (|dx|, |dy|, |dz|),
// and the eight octants of M2M and of L2L need one matrix each.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

/// Rows and columns of the blocks (fragments) into which matrices are divided.
inline constexpr int fragment_rows = 16;

/// Expansions are padded with zeros to complete fragments.
constexpr int padded_coefficients(int order) {
  return (order * order + fragment_rows - 1) / fragment_rows * fragment_rows;
}

/// The position of a matrix among the fragments of its set. A matrix without tiles is not used.
struct MatrixEntry {
  std::int32_t first = 0, row_tiles = 0, k_tiles = 0;
};

/// Matrices on the device, divided into 16 x 16 fragments in the order of the lanes of a warp
/// (gpu/sums/mma.cuh).
template <class T>
struct DeviceMatrices {
  std::vector<MatrixEntry> entries;
  DeviceBuffer<T> fragments;
  DeviceBuffer<std::uint8_t> signs;  ///< reflection_signs

  std::size_t bytes() const { return fragments.bytes() + signs.bytes(); }
};

/// The index of element (row, k) of a 16 x 16 fragment among its 256 elements.
template <class T>
RANKINE_HD constexpr int fragment_position(int row, int k) {
  constexpr int vector = 16 / static_cast<int>(sizeof(T));
  const int lane = 4 * (row % 8) + k / 4;
  const int element = 2 * (k % 4) + row / 8;
  return (element / vector * 32 + lane) * vector + element % vector;
}

/// Eight bits per coefficient: bit s is the sign (1: minus) by which reflection s multiplies it.
/// Padded.
std::vector<std::uint8_t> reflection_signs(int order);

/// Index of the matrix of an M2L offset, and the reflection (bit per negative component).
struct Reflected {
  std::int32_t matrix, reflection;
};
inline constexpr int m2l_matrix_count = 64;
RANKINE_HD constexpr Reflected reflected_offset(int dx, int dy, int dz) {
  const auto size = [](int d) { return d < 0 ? -d : d; };
  return {size(dx) + 4 * (size(dy) + 4 * size(dz)),
          (dx < 0 ? 1 : 0) | (dy < 0 ? 2 : 0) | (dz < 0 ? 4 : 0)};
}
/// The reflection that maps octant 7 to `octant`. M2M and L2L have only the matrix for octant 7.
RANKINE_HD constexpr Reflected reflected_octant(int octant) { return {0, 7 ^ octant}; }

template <class T>
DeviceMatrices<T> m2l_matrices(const fmm::Orders& orders, const Stream& stream);

/// The matrices between a box and its octant 7; those of the other octants are reflections.
template <class T>
struct OctantMatrices {
  DeviceMatrices<T> m2m, l2l;

  std::size_t bytes() const { return m2m.bytes() + l2l.bytes(); }
};
template <class T>
OctantMatrices<T> octant_matrices(int order, const Stream& stream);

}  // namespace rankine::gpu
