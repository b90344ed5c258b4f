// Turns values known at run time into compile-time constants of the code that depends on them.
#pragma once

#include <type_traits>

namespace rankine {

/// Calls work(std::bool_constant...) with the values of the flags.
template <class Work>
void dispatch(Work&& work) {
  work();
}
template <class Work, class... Flags>
void dispatch(Work&& work, bool flag, Flags... flags) {
  if (flag) {
    dispatch([&](auto... rest) { work(std::true_type{}, rest...); }, flags...);
  } else {
    dispatch([&](auto... rest) { work(std::false_type{}, rest...); }, flags...);
  }
}

/// Calls work(columns, first) for blocks of 4, 2 and 1 of `count` columns, `columns` a
/// std::integral_constant: loops over the columns of a block unroll.
template <class Work>
void for_column_blocks(int count, Work&& work) {
  int first = 0;
  for (; count - first >= 4; first += 4) work(std::integral_constant<int, 4>{}, first);
  if (count - first >= 2) {
    work(std::integral_constant<int, 2>{}, first);
    first += 2;
  }
  if (count > first) work(std::integral_constant<int, 1>{}, first);
}

}  // namespace rankine
