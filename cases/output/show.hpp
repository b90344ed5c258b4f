// Formats numbers, commands and tables for the log.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::cases {

/// "1.23 s", "45.6 ms".
std::string show_seconds(double seconds);
/// Remaining time: "12 s", "3 min 5 s", "2 h 10 min".
std::string show_duration(double seconds);
/// "1.2 GB", "340 MB", "12 kB".
std::string show_bytes(double bytes);
/// "20 480".
std::string show_count(long long count);
std::string show_count(std::integral auto count) {
  return show_count(static_cast<long long>(count));
}
/// The words of a command line, quoted for a shell.
std::string show_command(const std::vector<std::string>& words);
/// "x -1 .. 1, y -1 .. 1, z 0 .. 2 m".
std::string show_box(const BoundingBox& box);

/// A table of text. Columns are as wide as their widest cell; columns of numbers are right-aligned,
/// others left-aligned. A rule separates the first row, the heading.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rankine::cases

/// Formats a vector as "(x, y, z)"; the format, such as "{:.4g}", applies to each component.
template <>
struct fmt::formatter<rankine::Vec3d> : fmt::formatter<double> {
  template <class Context>
  auto format(const rankine::Vec3d& v, Context& context) const {
    for (int k = 0; k < 3; ++k) {
      context.advance_to(fmt::format_to(context.out(), "{}", k == 0 ? "(" : ", "));
      context.advance_to(fmt::formatter<double>::format(v[k], context));
    }
    return fmt::format_to(context.out(), ")");
  }
};
