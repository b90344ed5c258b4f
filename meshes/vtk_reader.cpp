#include "rankine/meshes/vtk_reader.hpp"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkFieldData.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkPLYReader.h>
#include <vtkPointSet.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/mesh_file.hpp"
#include "rankine/meshes/vtk_messages.hpp"

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
  if (extension == ".ply") return read<vtkPLYReader>(file);
  if (extension == ".obj") return read<vtkOBJReader>(file);
  if (extension == ".vtp") return read<vtkXMLPolyDataReader>(file);
  if (extension == ".vtu") return read<vtkXMLUnstructuredGridReader>(file);
  return read<vtkGenericDataObjectReader>(file);
}

enum class Kind { skip, triangle, quadrilateral, pixel, polygon };

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
      return Kind::polygon;
    default:
      return Kind::skip;
  }
}

/// Patches as write_surface_vtp leaves them.
void read_patches(SurfaceMesh& mesh, vtkPointSet& data, const std::vector<vtkIdType>& cells) {
  vtkDataArray* const patch = data.GetCellData()->GetArray("patch");
  auto* const names =
      vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray("patch_names"));
  if (patch == nullptr || names == nullptr) return;
  const auto count = static_cast<double>(names->GetNumberOfValues());
  for (const vtkIdType cell : cells) {
    const double index = patch->GetTuple1(cell);
    if (!(index >= 0.0 && index < count)) {
      mesh.patch.clear();
      return;
    }
    mesh.patch.push_back(static_cast<std::int32_t>(index));
  }
  for (vtkIdType n = 0; n < names->GetNumberOfValues(); ++n) {
    mesh.patch_names.push_back(names->GetValue(n));
  }
}

}  // namespace

SurfaceMesh read_with_vtk(const std::filesystem::path& path) {
  const VtkMessages messages;
  const vtkSmartPointer<vtkPointSet> data = read_any(path);
  if (data == nullptr || !messages.text().empty()) {
    const std::string reason = messages.text().empty() ? "no points and cells" : messages.text();
    throw MeshError("cannot read " + path.string() + ": " + reason +
                    "; repair the file or export it again");
  }
  SurfaceMesh mesh;
  mesh.nodes.resize(data->GetNumberOfPoints());
  for (vtkIdType n = 0; n < data->GetNumberOfPoints(); ++n) {
    double x[3];
    data->GetPoint(n, x);
    mesh.nodes[n] = {x[0], x[1], x[2]};
  }
  std::vector<vtkIdType> cells;
  std::size_t curved = 0;
  const vtkNew<vtkIdList> ids;
  for (vtkIdType cell = 0; cell < data->GetNumberOfCells(); ++cell) {
    const int type = data->GetCellType(cell);
    data->GetCellPoints(cell, ids);
    const Kind kind = kind_of(type, ids->GetNumberOfIds());
    if (kind == Kind::skip) continue;
    if (kind == Kind::polygon) {
      throw MeshError(path.string() + ": cell " + std::to_string(cell) + " has " +
                      std::to_string(ids->GetNumberOfIds()) +
                      " corners; divide polygons and strips into triangles and quadrilaterals");
    }
    const int corners = kind == Kind::triangle ? 3 : 4;
    if (ids->GetNumberOfIds() > corners) ++curved;
    Element element{-1, -1, -1, -1};
    for (int k = 0; k < corners; ++k) element[k] = static_cast<std::int32_t>(ids->GetId(k));
    if (kind == Kind::pixel) std::swap(element[2], element[3]);
    mesh.elements.push_back(element);
    cells.push_back(cell);
  }
  if (curved > 0) {
    mesh.warnings.push_back(std::to_string(curved) +
                            " curved elements are taken as flat panels through their corners");
  }
  read_patches(mesh, *data, cells);
  return mesh;
}

}  // namespace rankine::meshes
