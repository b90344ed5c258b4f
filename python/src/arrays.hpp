// Python arrays: C-contiguous, double, on the host. The package (rankine/_arrays.py) has converted
// them and checked shapes; values are checked here.
#pragma once

#include <nanobind/ndarray.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::python {

namespace nb = nanobind;

using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using GivenPoints = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Writable = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Triple = std::array<double, 3>;

inline Vec3d vector(const Triple& x) { return {x[0], x[1], x[2]}; }
inline std::span<const double> values(const Given& array) { return {array.data(), array.size()}; }
inline std::span<double> values(const Writable& array) { return {array.data(), array.size()}; }
inline std::span<const Vec3d> vectors(const GivenPoints& array) {
  return {reinterpret_cast<const Vec3d*>(array.data()), array.shape(0)};
}

template <class Array>
auto values(const std::optional<Array>& array) {
  return array ? values(*array) : decltype(values(*array)){};
}

/// Throws InputError with the first index of a value that is not finite. `width`: values per row.
inline void require_finite(const char* what, std::span<const double> values,
                           std::size_t width = 1) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string index = std::to_string(i / width);
    const std::string component = width > 1 ? ", " + std::to_string(i % width) : std::string();
    throw InputError(std::string(what) + "[" + index + component + "] is " +
                     std::to_string(values[i]) + "; use finite numbers");
  }
}

/// A read-only numpy array over the data of `owner`, which it keeps alive.
template <class T>
nb::ndarray<nb::numpy, const T> view(nb::handle owner, const T* data,
                                     std::initializer_list<std::size_t> shape) {
  return {data, shape, owner};
}

/// A numpy array that owns `data`.
template <class T, class Vector>
nb::ndarray<nb::numpy, T> as_numpy(Vector&& data, std::initializer_list<std::size_t> shape) {
  using Owned = std::remove_cvref_t<Vector>;
  auto* const owned = new Owned(std::forward<Vector>(data));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Owned*>(p); });
  return nb::ndarray<nb::numpy, T>(reinterpret_cast<T*>(owned->data()), shape, owner);
}

}  // namespace rankine::python
