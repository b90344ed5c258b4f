// Values that depend only on the order of expansions: each is computed at its first use, then
// shared by all threads.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

template <class T>
class OncePerOrder {
 public:
  /// The value for an order from 0 to max_order; the first call computes it with make().
  template <class Make>
  const T& at(int order, const Make& make) {
    const auto place = static_cast<std::size_t>(order);
    std::call_once(made_[place], [&] { values_[place] = make(); });
    return values_[place];
  }

 private:
  std::array<std::once_flag, max_order + 1> made_;
  std::array<T, max_order + 1> values_;
};

}  // namespace rankine::fmm
