#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkFieldData.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointSet.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/formats/polygon.hpp"
#include "rankine/meshes/reader/jobs.hpp"
#include "rankine/meshes/vtk/vtk_messages.hpp"

namespace rankine::meshes {
namespace {

template <class Reader>
vtkSmartPointer<vtkPointSet> read(const std::string& file) {
  const vtkNew<Reader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return vtkPointSet::SafeDownCast(reader->GetOutputDataObject(0));
}

vtkSmartPointer<vtkPointSet> read_any(const std::filesystem::path& path) {
  const std::string extension = extension_of(path), file = path.string();
  if (extension == ".vtp") return read<vtkXMLPolyDataReader>(file);
  if (extension == ".vtu") return read<vtkXMLUnstructuredGridReader>(file);
  return read<vtkGenericDataObjectReader>(file);
}

enum class Kind { skip, triangle, quadrilateral, pixel, polygon, strip };

Kind kind_of(int type, vtkIdType corners) {
  switch (type) {
    case VTK_TRIANGLE:
    case VTK_QUADRATIC_TRIANGLE:
    case VTK_BIQUADRATIC_TRIANGLE:
      return Kind::triangle;
    case VTK_QUAD:
    case VTK_QUADRATIC_QUAD:
    case VTK_BIQUADRATIC_QUAD:
      return Kind::quadrilateral;
    case VTK_PIXEL:
      return Kind::pixel;
    case VTK_POLYGON:
      return corners == 3 ? Kind::triangle : corners == 4 ? Kind::quadrilateral : Kind::polygon;
    case VTK_TRIANGLE_STRIP:
      return Kind::strip;
    default:
      return Kind::skip;
  }
}

/// The patch of every cell as written by write_surface_vtp; empty if missing, or if an index has no
/// name.
class PatchIndices {
 public:
  explicit PatchIndices(vtkPointSet& data)
      : index_(data.GetCellData()->GetArray("patch")),
        names_(vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray("patch_names"))) {
    if (index_ == nullptr || names_ == nullptr ||
        index_->GetNumberOfTuples() < data.GetNumberOfCells() ||
        index_->GetNumberOfComponents() != 1) {
      names_ = nullptr;
    }
  }
  bool known(vtkIdType cell) const {
    const double index = names_ == nullptr ? -1.0 : index_->GetTuple1(cell);
    return index >= 0.0 && index < static_cast<double>(names_->GetNumberOfValues());
  }
  std::int32_t of(vtkIdType cell) const {
    return static_cast<std::int32_t>(index_->GetTuple1(cell));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (vtkIdType n = 0; n < names_->GetNumberOfValues(); ++n)
      names.push_back(names_->GetValue(n));
    return names;
  }

 private:
  vtkDataArray* index_;
  vtkStringArray* names_;
};

struct Cell {
  vtkIdType number;
  Kind kind;
  bool curved;  ///< mid-edge nodes follow its corners
};

/// The cells that are panels; others give warnings.
std::vector<Cell> panels_of(vtkPointSet& data, const std::filesystem::path& path, FileMesh& mesh) {
  std::vector<Cell> cells;
  std::size_t second_order = 0, others = 0;
  const vtkNew<vtkIdList> ids;
  for (vtkIdType cell = 0; cell < data.GetNumberOfCells(); ++cell) {
    data.GetCellPoints(cell, ids);
    const vtkIdType points = ids->GetNumberOfIds();
    const Kind kind = kind_of(data.GetCellType(cell), points);
    if (kind == Kind::skip) continue;
    const bool split = kind == Kind::polygon || kind == Kind::strip;
    const int corners = kind == Kind::triangle || split ? 3 : 4;
    if (points < corners) {
      throw MeshError(path.string() + ": cell " + std::to_string(cell) + " has " +
                      std::to_string(points) + " corners, and its type needs " +
                      std::to_string(corners) + "; repair the file or export it again");
    }
    const bool curved = points >= vtkIdType{2} * corners && !split;
    if (points > corners && !split) ++(curved ? second_order : others);
    cells.push_back({cell, kind, curved});
  }
  warn_of_curved(mesh.warnings, second_order, others);
  return cells;
}

/// The triangles of a polygon or strip, three node numbers each.
std::vector<std::int64_t> triangles_of(const Cell& cell, vtkIdList& ids, const FileMesh& mesh,
                                       const std::filesystem::path& path) {
  std::vector<std::int64_t> nodes;
  const auto corners = static_cast<std::size_t>(ids.GetNumberOfIds());
  const auto corner = [&](std::size_t k) { return ids.GetId(static_cast<vtkIdType>(k)); };
  if (cell.kind == Kind::strip) {
    for (std::size_t k = 2; k < corners; ++k) {
      std::array<std::int64_t, 3> t{corner(k - 2), corner(k - 1), corner(k)};
      if (k % 2 == 1) std::swap(t[0], t[1]);
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;  // joins two strips
      nodes.insert(nodes.end(), t.begin(), t.end());
    }
    return nodes;
  }
  std::vector<Vec3d> places;
  for (std::size_t k = 0; k < corners; ++k) {
    const auto first = 3 * static_cast<std::size_t>(corner(k));
    if (corner(k) < 0 || first >= mesh.coordinates.size()) {
      throw MeshError(path.string() + ": cell " + std::to_string(cell.number) + " names node " +
                      std::to_string(corner(k)) +
                      ", and the file has no such node; repair the "
                      "file or export it again");
    }
    const double* const x = &mesh.coordinates[first];
    places.push_back({x[0], x[1], x[2]});
  }
  for (const auto& triangle : split_polygon(places)) {
    for (const std::size_t k : triangle) nodes.push_back(corner(k));
  }
  if (nodes.empty()) {
    throw MeshError(path.string() + ": cell " + std::to_string(cell.number) + " of " +
                    std::to_string(corners) +
                    " corners crosses itself or has no area, and cannot be divided into "
                    "triangles; repair the file or export it again");
  }
  return nodes;
}

void take_cells(FileMesh& mesh, vtkPointSet& data, const std::filesystem::path& path) {
  const std::vector<Cell> cells = panels_of(data, path, mesh);
  const PatchIndices patches(data);
  const bool patched = std::all_of(cells.begin(), cells.end(),
                                   [&](const Cell& cell) { return patches.known(cell.number); });
  if (patched && !cells.empty()) mesh.patch_names = patches.names();
  std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::size_t> block_of;
  const vtkNew<vtkIdList> ids;
  std::size_t polygons = 0, polygon_triangles = 0;
  for (const Cell& cell : cells) {
    const bool split = cell.kind == Kind::polygon || cell.kind == Kind::strip;
    const std::int32_t corners = cell.kind == Kind::triangle || split ? 3 : 4;
    const std::int32_t patch = patched ? patches.of(cell.number) : -1;
    const auto [at, is_new] =
        block_of.emplace(std::tuple{corners, patch, cell.curved}, mesh.blocks.size());
    if (is_new) mesh.blocks.push_back({corners, patch, {}, {}, {}});
    ElementBlock& block = mesh.blocks[at->second];
    data.GetCellPoints(cell.number, ids);
    if (split) {
      const std::vector<std::int64_t> nodes = triangles_of(cell, *ids, mesh, path);
      block.nodes.insert(block.nodes.end(), nodes.begin(), nodes.end());
      block.tags.insert(block.tags.end(), nodes.size() / 3, cell.number);
      if (cell.kind == Kind::polygon) {
        ++polygons;
        polygon_triangles += nodes.size() / 3;
      }
      continue;
    }
    block.tags.push_back(cell.number);
    for (int k = 0; k < corners; ++k) block.nodes.push_back(ids->GetId(k));
    for (int k = 0; cell.curved && k < corners; ++k)
      block.mid_nodes.push_back(ids->GetId(corners + k));
    if (cell.kind == Kind::pixel) std::swap(block.nodes.end()[-1], block.nodes.end()[-2]);
  }
  if (polygons > 0) mesh.warnings.push_back(split_note(polygons, polygon_triangles));
}

/// Adds the outer faces of the volume cells.
void take_skin(FileMesh& mesh, vtkPointSet& data) {
  Skin skin;
  for (vtkIdType number = 0; number < data.GetNumberOfCells(); ++number) {
    vtkCell& cell = *data.GetCell(number);
    if (cell.GetCellDimension() != 3) continue;
    for (int k = 0; k < cell.GetNumberOfFaces(); ++k) {
      vtkCell& face = *cell.GetFace(k);
      std::vector<std::int64_t> corners;
      for (int i = 0; i < face.GetNumberOfEdges(); ++i) corners.push_back(face.GetPointId(i));
      if (corners.size() > 4) continue;  // a face of a polyhedron
      if (face.GetCellType() == VTK_PIXEL) std::swap(corners[2], corners[3]);
      skin.add(std::move(corners));
    }
  }
  skin.give(mesh);
}

FileMesh take_mesh(const std::filesystem::path& path) {
  const VtkMessages messages;
  const vtkSmartPointer<vtkPointSet> data = read_any(path);
  if (data == nullptr || !messages.text().empty()) {
    const std::string reason = messages.text().empty() ? "no points and cells" : messages.text();
    throw MeshError("cannot read " + path.string() + ": " + reason +
                    "; repair the file or export it again");
  }
  FileMesh mesh;
  for (vtkIdType n = 0; n < data->GetNumberOfPoints(); ++n) {
    double x[3];
    data->GetPoint(n, x);
    mesh.coordinates.insert(mesh.coordinates.end(), {x[0], x[1], x[2]});
  }
  take_cells(mesh, *data, path);
  if (mesh.blocks.empty()) take_skin(mesh, *data);
  return mesh;
}

}  // namespace

std::vector<char> read_vtk_mesh(ByteReader& request) {
  const std::filesystem::path path = request.text();
  return to_bytes(to_surface_mesh(take_mesh(path), path));
}

}  // namespace rankine::meshes
