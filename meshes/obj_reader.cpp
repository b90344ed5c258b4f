#include "rankine/meshes/obj_reader.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/text_words.hpp"

namespace rankine::meshes {
namespace {

constexpr std::size_t most_indices = std::numeric_limits<std::int32_t>::max();

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
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
      for (int k = 0; k < corner_count(mesh_.elements[e]); ++k) {
        if (mesh_.elements[e][k] < std::ssize(mesh_.nodes)) continue;
        refuse(line_of_[e], "the face names vertex " +
                                std::to_string(std::int64_t{mesh_.elements[e][k]} + 1) +
                                ", and the file has " + std::to_string(mesh_.nodes.size()));
      }
    }
    return std::move(mesh_);
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
    if (mesh_.nodes.size() == most_indices) refuse(lines_.number(), "there are too many vertices");
    mesh_.nodes.push_back(node);
  }

  void read_face(std::string_view line) {
    Element element{-1, -1, -1, -1};
    std::size_t corners = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (corners < element.size()) element[corners] = corner(word);
      ++corners;
    }
    if (corners != 3 && corners != 4) {
      refuse(lines_.number(), "the face has " + counted(corners, "corner") +
                                  "; divide polygons into triangles and quadrilaterals");
    }
    if (mesh_.elements.size() == most_indices) refuse(lines_.number(), "there are too many faces");
    mesh_.elements.push_back(element);
    line_of_.push_back(lines_.number());
  }

  /// The vertex of "7", "7/1", "7/1/3" or "-2", from 0. A later one may still come.
  std::int32_t corner(std::string_view word) const {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t vertex = 0;
    const bool read = to_number(number, vertex);
    const std::int64_t last = std::ssize(mesh_.nodes);
    if (read && vertex < 0 && vertex >= -last) return static_cast<std::int32_t>(last + vertex);
    if (read && vertex > 0 && vertex <= static_cast<std::int64_t>(most_indices)) {
      return static_cast<std::int32_t>(vertex - 1);
    }
    refuse(lines_.number(), "the face names vertex \"" + printable(std::string(word)) +
                                "\"; vertices are counted from 1, or backwards from -1, and there "
                                "are " +
                                std::to_string(last) + " before it");
  }

  std::filesystem::path path_;
  Lines lines_;
  SurfaceMesh mesh_;
  std::vector<std::size_t> line_of_;  ///< per element
};

}  // namespace

SurfaceMesh read_obj(const std::filesystem::path& path) { return ObjReader(path).read(); }

}  // namespace rankine::meshes
