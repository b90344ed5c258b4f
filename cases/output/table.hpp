// Text in aligned columns, for the terminal.
#pragma once

#include <string>
#include <vector>

namespace rankine::cases {

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
