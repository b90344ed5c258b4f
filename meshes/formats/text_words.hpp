// Parses words and numbers of a text line, independent of the locale.
#pragma once

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <type_traits>

namespace rankine::meshes {

constexpr std::string_view blanks = " \t\r\v\f";

/// Removes and returns the first word of the line; empty at the end.
inline std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// Converts the whole word to a number; false if it is not one. Floating-point overflow gives
/// infinity, underflow zero; "nan" and "inf" are accepted.
template <class T>
bool to_number(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return false;
  if constexpr (std::is_floating_point_v<T>) {
    if (error == std::errc::result_out_of_range) {
      const std::size_t exponent = word.find_first_of("eE");
      const bool small =
          exponent != word.npos ? word.substr(exponent + 1).starts_with('-') : word.find('.') <= 2;
      value = small ? T{0} : std::numeric_limits<T>::infinity();
      return true;
    }
  }
  return error == std::errc();
}

}  // namespace rankine::meshes
