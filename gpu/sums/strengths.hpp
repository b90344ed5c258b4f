// Converts strengths from the caller's order and double to Morton order and working precision.
#pragma once

#include <span>

#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// The device address of an array; null if it is empty.
template <class T>
T* address(std::span<T> array) {
  return array.empty() ? nullptr : array.data();
}

/// The caller's arrays for one apply. This struct is in device memory and is written before a
/// captured graph is launched, so that one graph can be used with any arrays.
struct ApplyArrays {
  const double* charges = nullptr;         ///< rhs x sources
  const double* normal_dipoles = nullptr;  ///< rhs x sources
  const double* dipoles = nullptr;         ///< rhs x sources x 3
  const double* vortices = nullptr;        ///< rhs x sources x 3
  ResultView results{};
};

void store_arrays(const ApplyArrays& arrays, ApplyArrays* on_device, const Stream& stream);

/// Charges rhs x sources, or vortices rhs x 3 x sources; dipoles rhs x 3 x sources, in edges of the
/// root box. Null: none.
template <class T>
struct StrengthArrays {
  T* charges;
  T* dipoles;
  const T* normals;  ///< 3 x sources, Morton order
};

/// `only`: the sources that are read afterwards, in Morton order; empty: all.
template <class T>
void load_strengths(const ApplyArrays* arrays, const std::int32_t* order, std::int64_t sources,
                    std::span<const std::int32_t> only, double inverse_side,
                    const StrengthArrays<T>& out, int rhs, const Stream& stream);

}  // namespace rankine::gpu
