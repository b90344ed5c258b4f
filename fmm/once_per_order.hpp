// What depends on the order of expansions alone: made when it is first asked for, by whichever thread, and kept.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

template <class T>
class OncePerOrder {
 public:
  /// Of an order from 0 to max_order; make() the first time.
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
