#include "cases/output/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

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
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < std::min(columns, rows_[r].size()); ++c) {
      width[c] = std::max(width[c], rows_[r][c].size());
      if (r > 0 && !rows_[r][c].empty() && !numeric(rows_[r][c])) right[c] = false;
    }
  }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string cell = c < rows_[r].size() ? rows_[r][c] : "";
      line +=
          right[c] ? fmt::format("{:>{}}", cell, width[c]) : fmt::format("{:<{}}", cell, width[c]);
      if (c + 1 < columns) line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (r == 0) {
      std::size_t total = 2 * (columns - 1);
      for (const std::size_t each : width) total += each;
      text += std::string(total, '-') + "\n";
    }
  }
  return text;
}

}  // namespace rankine::cases
