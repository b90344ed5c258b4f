#include "cases/output/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace rankine::cases {
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
