#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <filesystem>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/reader/jobs.hpp"
#include "rankine/meshes/vtk/vtk_arrays.hpp"
#include "rankine/meshes/vtk/vtk_messages.hpp"

namespace rankine::meshes {
namespace {

void take_arrays(vtkDataSetAttributes& data, std::vector<ScalarArray>& arrays) {
  for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data.GetArray(k);
    if (array == nullptr || array->GetNumberOfComponents() != 1 || array->GetName() == nullptr)
      continue;
    const std::string name = array->GetName();
    const bool known = std::any_of(arrays.begin(), arrays.end(),
                                   [&](const ScalarArray& each) { return each.name == name; });
    if (known) continue;
    ScalarArray& taken = arrays.emplace_back();
    taken.name = name;
    for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
      taken.values.push_back(array->GetTuple1(i));
  }
}

/// Adds an array of one component, or the three components of a vector array.
void take_columns(vtkDataArray& array, const std::string& prefix,
                  std::vector<ScalarArray>& columns) {
  const int components = array.GetNumberOfComponents();
  if (components != 1 && components != 3) return;
  for (int c = 0; c < components; ++c) {
    ScalarArray& column = columns.emplace_back();
    column.name = components == 1 ? prefix : prefix + "xyz"[c];
    for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i)
      column.values.push_back(array.GetComponent(i, c));
  }
}

std::vector<ScalarArray> scalars_of(vtkPointSet& data) {
  std::vector<ScalarArray> arrays;
  take_arrays(*data.GetCellData(), arrays);
  take_arrays(*data.GetPointData(), arrays);
  return arrays;
}

std::vector<ScalarArray> point_columns_of(vtkPointSet& data) {
  std::vector<ScalarArray> columns;
  if (data.GetNumberOfPoints() == 0) return columns;
  take_columns(*data.GetPoints()->GetData(), "", columns);
  for (int k = 0; k < data.GetPointData()->GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data.GetPointData()->GetArray(k);
    if (array == nullptr || array->GetName() == nullptr) continue;
    const std::string name = array->GetName();
    take_columns(*array, array->GetNumberOfComponents() == 1 ? name : name + "_", columns);
  }
  return columns;
}

/// Reads the file with a `Reader` and calls take(vtkPointSet).
template <class Reader, class Take>
void read(const std::filesystem::path& path, Take&& take) {
  const VtkMessages messages;
  const vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  if (!messages.text().empty()) throw InputError(path.string() + ": " + messages.text());
  if (auto* const data = vtkPointSet::SafeDownCast(reader->GetOutputDataObject(0))) take(*data);
}

/// The names and values of the arrays from `arrays_of`.
std::vector<char> read_arrays(ByteReader& request,
                              std::vector<ScalarArray> (*arrays_of)(vtkPointSet&)) {
  ByteWriter bytes;
  read<vtkXMLPolyDataReader>(request.text(), [&](vtkPointSet& data) {
    for (const ScalarArray& each : arrays_of(data)) {
      bytes.text(each.name);
      bytes.all(each.values);
    }
  });
  return bytes.take();
}

}  // namespace

std::vector<char> read_vtk_scalars(ByteReader& request) { return read_arrays(request, scalars_of); }

std::vector<char> read_vtk_point_columns(ByteReader& request) {
  return read_arrays(request, point_columns_of);
}

std::vector<char> read_vtk_point_places(ByteReader& request) {
  const std::filesystem::path path = request.text();
  std::vector<Vec3d> points;
  const auto take = [&](vtkPointSet& data) {
    for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i) {
      double x[3];
      data.GetPoint(i, x);
      points.push_back({x[0], x[1], x[2]});
    }
  };
  const std::filesystem::path kind = path.extension();
  if (kind == ".vtp") read<vtkXMLPolyDataReader>(path, take);
  if (kind == ".vtu") read<vtkXMLUnstructuredGridReader>(path, take);
  if (kind == ".vtk") read<vtkGenericDataObjectReader>(path, take);
  ByteWriter bytes;
  bytes.all(points);
  return bytes.take();
}

}  // namespace rankine::meshes
