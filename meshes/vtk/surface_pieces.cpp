#include "rankine/meshes/vtk/surface_pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include "rankine/meshes/files/output_file.hpp"

namespace rankine::meshes {
namespace {

void write_array(std::ostream& stream, const char* type, const std::string& name, int components) {
  stream << "      <PDataArray type=\"" << type << "\" Name=\"" << name
         << "\" NumberOfComponents=\"" << components << "\"/>\n";
}

void write_arrays(std::ostream& stream, const std::vector<Field>& fields) {
  for (const Field& each : fields) write_array(stream, "Float64", each.name, each.components);
}

}  // namespace

SurfacePiece piece_of(const SurfaceMesh& mesh, const Fields& fields, std::size_t begin,
                      std::size_t end) {
  constexpr std::int32_t elsewhere = -1;
  std::vector<std::int32_t> number(mesh.nodes.size(), elsewhere);
  for (std::size_t e = begin; e < end; ++e) {
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
      number[static_cast<std::size_t>(mesh.elements[e][k])] = 0;
  }
  SurfacePiece piece;
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < number.size(); ++n) {
    if (number[n] == elsewhere) continue;
    number[n] = static_cast<std::int32_t>(nodes.size());
    nodes.push_back(n);
    piece.mesh.nodes.push_back(mesh.nodes[n]);
  }
  for (std::size_t e = begin; e < end; ++e) {
    Element element = mesh.elements[e];
    for (int k = 0; k < corner_count(element); ++k)
      element[k] = number[static_cast<std::size_t>(element[k])];
    piece.mesh.elements.push_back(element);
    piece.mesh.patch.push_back(mesh.patch[e]);
  }
  piece.mesh.patch_names = mesh.patch_names;
  for (const Field& each : fields.cell) {
    const auto width = static_cast<std::ptrdiff_t>(each.components);
    const auto first = each.values.begin();
    piece.fields.cell.push_back({each.name,
                                 each.components,
                                 {first + width * static_cast<std::ptrdiff_t>(begin),
                                  first + width * static_cast<std::ptrdiff_t>(end)}});
  }
  for (const Field& each : fields.point) {
    Field& values = piece.fields.point.emplace_back(Field{each.name, each.components, {}});
    const auto width = static_cast<std::size_t>(each.components);
    for (const std::size_t n : nodes) {
      for (std::size_t c = 0; c < width; ++c) values.values.push_back(each.values[n * width + c]);
    }
  }
  return piece;
}

void write_pieces_pvtp(const std::filesystem::path& path, const Fields& fields,
                       std::span<const std::string> files) {
  write_file(path, [&](std::ostream& stream) {
    stream << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\" "
              "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
              "  <PPolyData GhostLevel=\"0\">\n    <PPointData>\n";
    write_arrays(stream, fields.point);
    stream << "    </PPointData>\n    <PCellData>\n";
    write_array(stream, "Int32", "patch", 1);
    write_arrays(stream, fields.cell);
    stream << "    </PCellData>\n    <PPoints>\n";
    write_array(stream, "Float64", "Points", 3);
    stream << "    </PPoints>\n";
    for (const std::string& file : files) stream << "    <Piece Source=\"" << file << "\"/>\n";
    stream << "  </PPolyData>\n</VTKFile>\n";
  });
}

}  // namespace rankine::meshes
