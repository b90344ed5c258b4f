// The derivative rules of fmm/gradient_terms.hpp as sparse matrices with few entries per row, for
// the device.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/harmonics.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

/// y[row] = sum over at most `width` entries of coefficient * x[column]. The entries of one row are
/// `rows` apart.
template <class T>
struct DerivativeMap {
  struct Entry {
    std::int32_t column = 0;
    T coefficient = T(0);
  };
  std::int32_t rows = 0, width = 0;
  std::vector<Entry> entries;  ///< width x rows
};

enum class Derivatives { first, first_and_second };

/// Derivatives of an expansion x of `order`: y contains three expansions, or nine (the second
/// derivatives as xx, xy, xz, yy, yz, zz), each padded to `row_size`.
template <class T>
DerivativeMap<T> derivative_map(fmm::Harmonic kind, Derivatives derivatives, int order,
                                int row_size);

/// The curl of three expansions, the components of a vector potential: y contains three expansions,
/// or twelve with the gradients of the components (du_i/dx_j, row by row). Columns are
/// of_component(axis, k).
template <class T>
DerivativeMap<T> curl_map(fmm::Harmonic kind, Derivatives derivatives, int order, int row_size);

/// The highest order of expansion that gpu/sums/low_order_multipoles.hpp evaluates.
inline constexpr int most_low_order = 8;

/// The factors of the harmonics in gpu/sums/low_order_expansion.cuh: the coefficients of H_0 ...
/// H_{p-1}; or of H_0 and the three components of G_1 ... G_{p-1}, by harmonic. Lower orders come
/// first.
RANKINE_HD constexpr int low_order_size(int order, bool gradient) {
  return gradient ? 1 + 3 * (order - 1) * (order - 1) : order * order;
}
template <class T>
DerivativeMap<T> low_order_map(int order, bool gradient);

inline constexpr int component_bits = 16;
constexpr std::int32_t of_component(int axis, std::int32_t k) { return axis << component_bits | k; }

template <class T>
struct DeviceMap {
  DeviceMap() = default;
  DeviceMap(const DerivativeMap<T>& map, const Stream& stream)
      : entries(map.entries, stream), rows(map.rows), width(map.width) {}

  DeviceBuffer<typename DerivativeMap<T>::Entry> entries;
  std::int32_t rows = 0, width = 0;
};

}  // namespace rankine::gpu
