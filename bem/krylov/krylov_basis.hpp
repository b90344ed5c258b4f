// The vectors that span a Krylov space: columns of length n in backend memory, one after the other,
// in an array that grows as the space does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

class KrylovBasis {
 public:
  /// At most `most` columns.
  KrylovBasis(Backend& backend, std::size_t n, int most) : backend_(backend), n_(n), most_(most) {}

  /// Column k; asking beyond the capacity moves all columns.
  double* column(int k) {
    if (k >= capacity_) grow(k + 1);
    return data_.data() + static_cast<std::size_t>(k) * n_;
  }
  const double* data() const { return data_.data(); }

 private:
  void grow(int needed) {
    const int capacity =
        std::min(std::max(needed, std::max(8, 2 * capacity_)), std::max(most_, needed));
    Array larger = backend_.allocate(static_cast<std::size_t>(capacity) * n_);
    if (capacity_ > 0)
      backend_.copy(static_cast<std::size_t>(capacity_) * n_, data_.data(), larger.data());
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  Backend& backend_;
  std::size_t n_;
  int most_;
  int capacity_ = 0;
  Array data_;
};

/// Columns held at most while a space grows to `vectors`: those that are being left as well.
inline int columns_held(int vectors) { return vectors + vectors / 2; }

/// Bytes of `columns` vectors of length n.
inline double krylov_bytes(double n, int columns) { return n * sizeof(double) * columns; }

}  // namespace rankine::bem
