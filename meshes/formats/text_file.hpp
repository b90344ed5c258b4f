// Reads a text file line by line, with FILE:LINE in errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// Maximum number of nodes and of elements.
inline constexpr std::int64_t most_indices = std::numeric_limits<std::int32_t>::max();

class TextFile {
 public:
  /// Text after one of the characters `comments` is ignored. A line that ends with the character
  /// `continued` continues on the next one.
  explicit TextFile(const std::filesystem::path& path, std::string comments = "",
                    char continued = '\0');

  /// Goes to the next line with a word. Returns false at the end of the file and stays on the last
  /// line. Throws Stopped.
  bool next();
  /// The same, but throws MeshError at the end of the file. The message names the missing item:
  /// `what`, or "vertex 3 of 8" from `noun`, `index` (from 0) and `count`.
  void require_next(std::string_view what);
  void require_next(std::string_view noun, std::int64_t index, std::int64_t count);
  /// Goes to the next line unchanged, with comments; false at the end of the file.
  bool next_raw();

  /// The rest of the line without leading blanks.
  std::string_view rest() const;
  bool at_line_end() const { return rest().empty(); }
  std::size_t words_left() const;
  /// Takes the word before the '=' of the line, and the '='; empty if there is none.
  std::string key();
  /// Takes the next word of the line; empty at the end.
  std::string_view word();

  // Take the next word as a number; throw if it is not one. `what` names the item: "a vertex".
  double number(std::string_view what);
  double finite(std::string_view what);
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
  /// Three finite numbers.
  Vec3d point(std::string_view what);
  /// Throws if the line has more words.
  void require_line_end(std::string_view what);

  std::size_t line() const { return line_; }    ///< from 1; the first of continued lines
  std::size_t bytes() const { return bytes_; }  ///< from the start of the file to this line's end
  const std::filesystem::path& path() const { return path_; }

  /// Throws MeshError with FILE:LINE and `what`.
  [[noreturn]] void refuse(std::string_view what) const { refuse_at(line_, what); }
  [[noreturn]] void refuse_at(std::size_t line, std::string_view what) const;
  /// Throws MeshError because the file ends before `what`.
  [[noreturn]] void refuse_end(std::string_view what) const;

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::string comments_, text_;
  char continued_;
  std::string_view rest_;
  std::size_t line_ = 0, lines_ = 0, bytes_ = 0;
};

/// "vertex 3 of 8" for the index 2.
std::string of_count(std::string_view noun, std::int64_t index, std::int64_t count);

/// Parses a number, also in Fortran notation: 1.5D+03. False if the word is not a number.
bool to_real(std::string_view word, double& value);

/// A word as shown in messages: "\"x1\"", or "the end of the line".
std::string shown(std::string_view word);

}  // namespace rankine::meshes
