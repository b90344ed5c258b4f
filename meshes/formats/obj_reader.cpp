#include "rankine/meshes/formats/readers.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/formats/text_file.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// Reads line by line: a '\' at the end of a line continues it, '#' begins a comment.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : file_(path, std::ios::binary) {}

  bool next(std::string& line) {
    line.clear();
    first_ = count_ + 1;
    while (std::getline(file_, part_)) {
      ++count_;
      if (const std::size_t end = part_.find_last_not_of(blanks); end != std::string::npos)
        part_.resize(end + 1);
      const bool continues = part_.ends_with('\\');
      if (continues) part_.back() = ' ';
      line += part_;
      if (continues) continue;
      line.resize(std::min(line.find('#'), line.size()));
      return true;
    }
    return !line.empty();
  }
  /// Where the line began, counted from 1.
  std::size_t number() const { return first_; }

 private:
  std::ifstream file_;
  std::string part_;
  std::size_t count_ = 0, first_ = 0;
};

class ObjReader {
 public:
  explicit ObjReader(const std::filesystem::path& path) : path_(path), lines_(path) {}

  SurfaceMesh read() {
    for (std::string text; lines_.next(text);) {
      std::string_view line = text;
      const std::string_view word = take_word(line);
      if (word == "v") read_vertex(line);
      if (word == "f") read_face(line);
      if (lines_.number() % lines_between_looks == 0) throw_if_stopped();
    }
    return builder_.finish();
  }

 private:
  static constexpr std::size_t lines_between_looks = 4096;

  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw MeshError(path_.string() + ":" + std::to_string(line) + ": " + what +
                    "; repair the file or export it again");
  }

  void read_vertex(std::string_view line) {
    Vec3d node;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = take_word(line);
      if (!to_number(word, node[k])) {
        refuse(lines_.number(),
               "a vertex needs three numbers, found \"" + printable(std::string(word)) + "\"");
      }
    }
    builder_.add_node(node, lines_.number());
  }

  void read_face(std::string_view line) {
    corners_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
      corners_.push_back(corner(word));
    builder_.add_panel(corners_, lines_.number());
  }

  /// The vertex of "7", "7/1", "7/1/3" or "-2", from 1. A later one may still come.
  std::int64_t corner(std::string_view word) const {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t vertex = 0;
    const bool read = to_number(number, vertex);
    const auto last = static_cast<std::int64_t>(builder_.node_count());
    if (read && vertex < 0 && vertex >= -last) return last + vertex + 1;
    if (read && vertex > 0 && vertex <= most_indices) return vertex;
    refuse(lines_.number(), "the face names vertex \"" + printable(std::string(word)) +
                                "\"; vertices are counted from 1, or backwards from -1, and there "
                                "are " +
                                std::to_string(last) + " before it");
  }

  std::filesystem::path path_;
  Lines lines_;
  MeshBuilder builder_{1,
                       [this](std::size_t line, const std::string& what) { refuse(line, what); }};
  std::vector<std::int64_t> corners_;
};

}  // namespace

SurfaceMesh read_obj(const std::filesystem::path& path) { return ObjReader(path).read(); }

}  // namespace rankine::meshes
