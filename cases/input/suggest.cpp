#include "cases/input/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace rankine::cases {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Names of other programs and ours. Here a plane is named by its normal, elsewhere by its axes.
const std::vector<std::pair<std::string_view, std::string_view>> other_names{
    {"gpu", "cuda"}, {"yz", "x"}, {"zy", "x"}, {"xz", "y"}, {"zx", "y"}, {"xy", "z"}, {"yx", "z"}};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // The rows of the dynamic programme for prefixes of `a` of length i-2, i-1 and i.
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, previous);
    std::swap(previous, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  for (const auto& [other, name] : other_names) {
    if (edit_distance(word, other) == 0 &&
        std::find(known.begin(), known.end(), name) != known.end())
      return fmt::format("; did you mean \"{}\"?", name);
  }
  const auto closest =
      std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
        return edit_distance(word, a) < edit_distance(word, b);
      });
  if (closest == known.end()) return {};
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  if (edit_distance(word, *closest) <= allowed) {
    return fmt::format("; did you mean \"{}\"?", *closest);
  }
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace rankine::cases
