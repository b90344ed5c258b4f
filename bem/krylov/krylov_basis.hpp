// The vectors that span a Krylov space: columns in backend memory, one after the other, in an array
// that grows with the space. A process stores its own rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

/// The next capacity, in columns, of a basis of at most `most` columns after `capacity`.
inline int next_capacity(int capacity, int most) {
  return std::max(capacity + 1, std::min(std::max(8, 2 * capacity), most));
}

class KrylovBasis {
 public:
  /// A basis of at most `most` columns of n rows.
  KrylovBasis(Backend& backend, std::size_t n, int most)
      : backend_(backend), n_(backend.own_rows(n).size()), most_(most) {}

  /// Column k; columns are requested in order. All columns move if k exceeds the capacity.
  double* column(int k) {
    while (k >= capacity_) grow();
    return data_.data() + static_cast<std::size_t>(k) * n_;
  }
  const double* data() const { return data_.data(); }

 private:
  void grow() {
    const int capacity = next_capacity(capacity_, most_);
    Array larger = backend_.allocate(static_cast<std::size_t>(capacity) * n_);
    if (capacity_ > 0)
      backend_.copy(static_cast<std::size_t>(capacity_) * n_, data_.data(), larger.data());
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  Backend& backend_;
  std::size_t n_;  ///< own rows
  int most_;
  int capacity_ = 0;
  Array data_;
};

}  // namespace rankine::bem
