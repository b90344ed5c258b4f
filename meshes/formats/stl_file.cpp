#include "rankine/meshes/formats/stl_file.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/formats/text_words.hpp"

namespace rankine::meshes {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

[[noreturn]] void refuse(const std::string& place, const std::string& found) {
  throw MeshError(place + ": a vertex needs three finite numbers, found \"" + printable(found) +
                  "\", which is not a place; repair the file or export it again");
}

bool is_vertex(std::string_view word) {
  constexpr std::string_view vertex = "vertex";
  return std::equal(word.begin(), word.end(), vertex.begin(), vertex.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

void check_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    std::string_view line = text;
    if (!is_vertex(take_word(line))) continue;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = take_word(line);
      double value = 0.0;
      if (to_number(word, value) && std::isfinite(value)) continue;
      refuse(path.string() + ":" + std::to_string(number), std::string(word));
    }
  }
}

void check_binary(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  file.ignore(header_bytes);
  std::array<char, triangle_bytes> triangle{};
  for (std::size_t number = 0; file.read(triangle.data(), triangle.size()); ++number) {
    std::array<float, 9> corners{};  // after the normal
    std::memcpy(corners.data(), triangle.data() + 3 * sizeof(float), sizeof(corners));
    for (const float value : corners) {
      if (std::isfinite(value)) continue;
      refuse(path.string() + ", triangle " + std::to_string(number), std::to_string(value));
    }
  }
}

}  // namespace

bool is_text_stl(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, header_bytes> header{};
  std::uint32_t triangles = 0;
  if (!file.read(header.data(), header.size())) return true;
  std::memcpy(&triangles, header.data() + header_bytes - sizeof(triangles), sizeof(triangles));
  return std::filesystem::file_size(path) !=
         header_bytes + triangle_bytes * std::uintmax_t{triangles};
}

void require_finite_stl(const std::filesystem::path& path) {
  if (is_text_stl(path)) {
    check_text(path);
  } else {
    check_binary(path);
  }
}

}  // namespace rankine::meshes
