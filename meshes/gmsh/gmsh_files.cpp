#include "rankine/meshes/gmsh/gmsh_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/files/guarded_read.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/output_file.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// Throws MeshError unless the file begins with a section; Gmsh would run it as a script.
void require_mesh_format(const std::filesystem::path& path) {
  char first = 0;
  std::ifstream(path, std::ios::binary) >> first;
  if (first == '$') return;
  throw MeshError(
      "cannot read " + path.string() +
      ": a Gmsh mesh begins with $MeshFormat; give the file the extension of its format");
}

// Properties of an STL file that Gmsh does not report: whether its solids are named, and the first
// coordinate that is not finite. Gmsh drops or moves such triangles without a warning.

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

[[noreturn]] void refuse_vertex(const std::string& place, const std::string& found) {
  throw MeshError(place + ": a vertex needs three finite numbers, found \"" +
                  printable(found.substr(0, 60)) +
                  "\", which is not a place; repair the file or export it again");
}

bool is_vertex(std::string_view word) {
  constexpr std::string_view vertex = "vertex";
  return std::equal(word.begin(), word.end(), vertex.begin(), vertex.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

void check_text_stl(const std::filesystem::path& path) {
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
      refuse_vertex(path.string() + ":" + std::to_string(number), std::string(word));
    }
  }
}

void check_binary_stl(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  file.ignore(header_bytes);
  std::array<char, triangle_bytes> triangle{};
  for (std::size_t number = 0; file.read(triangle.data(), triangle.size()); ++number) {
    std::array<float, 9> corners{};  // after the normal vector
    std::memcpy(corners.data(), triangle.data() + 3 * sizeof(float), sizeof(corners));
    for (const float value : corners) {
      if (std::isfinite(value)) continue;
      refuse_vertex(path.string() + ", triangle " + std::to_string(number), text_of(value));
    }
  }
}

/// Whether the file is text, "solid NAME …", and not binary: 80 arbitrary bytes, a count, 50 bytes
/// per triangle.
bool is_text_stl(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, header_bytes> header{};
  std::uint32_t triangles = 0;
  if (!file.read(header.data(), header.size())) return true;
  std::memcpy(&triangles, header.data() + header_bytes - sizeof(triangles), sizeof(triangles));
  return std::filesystem::file_size(path) !=
         header_bytes + triangle_bytes * std::uintmax_t{triangles};
}

}  // namespace

SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options) {
  if (is_geometry(path)) return read_geometry(path, options);
  const bool stl = extension_of(path) == ".stl";
  if (extension_of(path) == ".msh") require_mesh_format(path);
  const bool text_stl = stl && is_text_stl(path);
  if (stl) (text_stl ? check_text_stl : check_binary_stl)(path);
  const PrivateFolder folder;
  ByteWriter request = request_for(Job::gmsh_mesh, path, folder);
  request.value(text_stl);  // whether surfaces have distinct names
  return read_guarded(path, "Gmsh", std::move(request));
}

void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options) {
  const PrivateFolder folder;
  ByteWriter request = request_for(Job::gmsh_write, path, folder);
  request.value(options.binary);
  request.value(options.msh_version);
  put(request, mesh);
  std::vector<char> file;
  try {
    file = ask_reader(std::move(request));
  } catch (const ChildDied& death) {
    throw InputError("cannot write " + path.string() + ": Gmsh " + death.what());
  } catch (const std::system_error& error) {
    throw InputError("cannot write " + path.string() +
                     ": no process to write it in could be "
                     "started: " +
                     error.what() +
                     "; end other programs, or raise the limits of "
                     "this account");
  }
  write_file(path, [&](std::ostream& stream) { stream.write(file.data(), std::ssize(file)); });
}

}  // namespace rankine::meshes
