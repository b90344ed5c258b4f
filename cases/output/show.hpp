// Numbers, commands and tables as text for people.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::cases {

/// "1.23 s", "45.6 ms".
std::string show_seconds(double seconds);
/// "12 s", "3 min 5 s", "2 h 10 min": time that is left.
std::string show_duration(double seconds);
/// "1.2 GB", "340 MB", "12 kB".
std::string show_bytes(double bytes);
/// "20 480".
std::string show_count(long long count);
std::string show_count(std::integral auto count) {
  return show_count(static_cast<long long>(count));
}
/// Words of a command line, quoted so that a shell reads them back.
std::string show_command(const std::vector<std::string>& words);
/// "x -1 .. 1, y -1 .. 1, z 0 .. 2 m".
std::string show_box(const BoundingBox& box);

/// Rows of cells; a column is as wide as its widest cell. Columns of numbers are aligned to the
/// right, others to the left. The first row is the heading, with a rule below.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rankine::cases

/// A vector is "(x, y, z)", each component in the format that is given: "{:.4g}".
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
