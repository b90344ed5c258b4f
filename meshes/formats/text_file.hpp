// A text file read line by line, for readers that name FILE:LINE where something is wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// The largest number of nodes and of elements.
inline constexpr std::int64_t most_indices = std::numeric_limits<std::int32_t>::max();

class TextFile {
 public:
  /// On every line, what follows one of the letters `comments` is passed over. A line that ends
  /// with the letter `continued` continues in the next one.
  explicit TextFile(const std::filesystem::path& path, std::string comments = "",
                    char continued = '\0');

  /// Goes to the next line that holds a word; false at the end of the file, where it stays on the
  /// last line. Throws Stopped.
  bool next();
  /// The same where `what` must follow, or the one with this index from 0 of so many: "vertex 3 of
  /// 8".
  void require_next(std::string_view what);
  void require_next(std::string_view noun, std::int64_t index, std::int64_t count);
  /// The next line as it stands, with comments and without its end; false at the end of the file.
  bool next_raw();

  /// What is left of the line, without blanks in front.
  std::string_view rest() const;
  bool at_line_end() const { return rest().empty(); }
  std::size_t words_left() const;
  /// Takes the word in front of the line's '=' with it; empty where there is none.
  std::string key();
  /// Takes the next word of the line; empty at its end.
  std::string_view word();

  // The next word of the line as a number; throws where it is none. `what` needs it: "a vertex".
  double number(std::string_view what);
  double finite(std::string_view what);
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
  /// Three finite numbers.
  Vec3d point(std::string_view what);
  /// Throws where the line holds more words.
  void require_line_end(std::string_view what);

  std::size_t line() const { return line_; }    ///< counted from 1; of several the first
  std::size_t bytes() const { return bytes_; }  ///< from the beginning to the end of this line
  const std::filesystem::path& path() const { return path_; }

  /// Throws MeshError: FILE:LINE: what; what to do.
  [[noreturn]] void refuse(std::string_view what) const { refuse_at(line_, what); }
  [[noreturn]] void refuse_at(std::size_t line, std::string_view what) const;
  /// Throws because the file ends where `what` should stand.
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

/// A number of Fortran, too: 1.5D+03. False where the word is none.
bool to_real(std::string_view word, double& value);

/// "\"x1\"", "the end of the line": a word in a message.
std::string shown(std::string_view word);

}  // namespace rankine::meshes
