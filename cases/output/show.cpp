#include "cases/output/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

namespace rankine::cases {

std::string show_seconds(double seconds) {
  if (seconds >= 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1.0) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", 1e3 * seconds);
  return fmt::format("{:.1f} us", 1e6 * seconds);
}

std::string show_duration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string show_bytes(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 10.0 ? 1 : 0, units[unit]);
}

std::string show_count(long long count) {
  const std::string digits = fmt::format("{}", count < 0 ? -count : count);
  std::string text = count < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string show_command(const std::vector<std::string>& words) {
  constexpr auto harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char each : word) text += each == '\'' ? "'\\''" : std::string(1, each);
    text += '\'';
  }
  return text;
}

std::string show_box(const BoundingBox& box) {
  const Vec3d &low = box.lower, &high = box.upper;
  return fmt::format("x {:.6g} .. {:.6g}, y {:.6g} .. {:.6g}, z {:.6g} .. {:.6g} m", low.x, high.x,
                     low.y, high.y, low.z, high.z);
}

namespace {

bool numeric(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
                           (cell.size() > 1 && (cell[0] == '-' || cell[0] == '+') &&
                            std::isdigit(static_cast<unsigned char>(cell[1])) != 0));
}

}  // namespace

std::string Table::text() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<bool> right(columns, rows_.size() > 1);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], row[c].size());
      if (&row != &rows_.front() && !row[c].empty() && !numeric(row[c])) right[c] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += c > 0 ? "  " : "";
      line += fmt::format(fmt::runtime(right[c] ? "{:>{}}" : "{:<{}}"), row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (&row != &rows_.front()) continue;
    text += std::string(std::accumulate(width.begin(), width.end(), 2 * (columns - 1)), '-') + "\n";
  }
  return text;
}

}  // namespace rankine::cases
