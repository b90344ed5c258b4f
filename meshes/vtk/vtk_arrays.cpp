#include "rankine/meshes/vtk/vtk_arrays.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/child_process.hpp"
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

/// Arrays of one component, and the components of those of three.
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

/// Of every array the sizes of name and values, and both.
std::vector<char> to_bytes(const std::vector<ScalarArray>& arrays) {
  std::vector<char> bytes;
  const auto put = [&](const void* from, std::size_t size) {
    const auto* const begin = static_cast<const char*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  for (const ScalarArray& each : arrays) {
    const std::uint64_t sizes[2] = {each.name.size(), each.values.size()};
    put(sizes, sizeof sizes);
    put(each.name.data(), each.name.size());
    put(each.values.data(), each.values.size() * sizeof(double));
  }
  return bytes;
}

std::vector<ScalarArray> from_bytes(const std::vector<char>& bytes) {
  std::vector<ScalarArray> arrays;
  std::size_t at = 0;
  const auto take = [&](void* to, std::uint64_t size) {
    if (size > bytes.size() - at) throw ChildDied("gave back less than it said");
    if (size > 0) std::memcpy(to, bytes.data() + at, size);
    at += size;
  };
  while (at < bytes.size()) {
    std::uint64_t sizes[2];
    take(sizes, sizeof sizes);
    if (sizes[0] > bytes.size() || sizes[1] > bytes.size() / sizeof(double))
      throw ChildDied("gave back less than it said");
    ScalarArray& array = arrays.emplace_back();
    array.name.resize(sizes[0]);
    array.values.resize(sizes[1]);
    take(array.name.data(), sizes[0]);
    take(array.values.data(), sizes[1] * sizeof(double));
  }
  return arrays;
}

/// What take(vtkPolyData) finds in a .vtp file, as bytes.
template <class Take>
std::vector<char> read(const std::filesystem::path& path, Take take) {
  const VtkMessages messages;
  const vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  if (!messages.text().empty()) throw InputError(path.string() + ": " + messages.text());
  return to_bytes(take(*reader->GetOutput()));
}

std::vector<ScalarArray> scalars_of(vtkPolyData& data) {
  std::vector<ScalarArray> arrays;
  take_arrays(*data.GetCellData(), arrays);
  take_arrays(*data.GetPointData(), arrays);
  return arrays;
}

std::vector<ScalarArray> point_columns_of(vtkPolyData& data) {
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

template <class Reader>
std::vector<char> read_points(const std::filesystem::path& path) {
  const VtkMessages messages;
  const vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  if (!messages.text().empty()) throw InputError(path.string() + ": " + messages.text());
  auto* const data = vtkPointSet::SafeDownCast(reader->GetOutputDataObject(0));
  std::vector<char> bytes;
  for (vtkIdType i = 0; data != nullptr && i < data->GetNumberOfPoints(); ++i) {
    double x[3];
    data->GetPoint(i, x);
    const auto* const begin = reinterpret_cast<const char*>(x);
    bytes.insert(bytes.end(), begin, begin + sizeof x);
  }
  return bytes;
}

/// What `read` gives back from a child process. Throws InputError.
template <class Read>
std::vector<char> read_guarded(const std::filesystem::path& path, const std::string& what,
                               Read read) {
  if (!std::filesystem::is_regular_file(path))
    throw InputError(path.string() + ": no such file of " + what);
  try {
    return in_child_process([&] { return read(path); });
  } catch (const ChildDied& died) {
    throw InputError(path.string() + ": the reader of VTK " + died.what() +
                     "; the file is damaged, export it again");
  }
}

}  // namespace

std::vector<Vec3d> read_vtk_points(const std::filesystem::path& path) {
  const std::string kind = path.extension().string();
  const auto read = kind == ".vtp"   ? read_points<vtkXMLPolyDataReader>
                    : kind == ".vtu" ? read_points<vtkXMLUnstructuredGridReader>
                    : kind == ".vtk" ? read_points<vtkGenericDataObjectReader>
                                     : nullptr;
  if (read == nullptr) {
    throw InputError(path.string() +
                     ": points are read from .csv, .vtp, .vtu and .vtk files, not \"" + kind +
                     "\"; convert it");
  }
  const std::vector<char> bytes = read_guarded(path, "points", read);
  std::vector<Vec3d> points(bytes.size() / sizeof(Vec3d));
  if (!points.empty()) std::memcpy(points.data(), bytes.data(), points.size() * sizeof(Vec3d));
  if (points.empty()) throw InputError(path.string() + ": holds no points");
  for (const Vec3d& x : points) {
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      throw InputError(path.string() + ": holds a point that is not finite; repair the file");
  }
  return points;
}

namespace {

template <class Take>
std::vector<ScalarArray> read_arrays(const std::filesystem::path& path, Take take,
                                     const std::string& nothing) {
  const std::vector<ScalarArray> arrays = from_bytes(
      read_guarded(path, "values", [take](const auto& file) { return read(file, take); }));
  if (arrays.empty()) throw InputError(path.string() + ": " + nothing);
  for (const ScalarArray& array : arrays) {
    if (!std::all_of(array.values.begin(), array.values.end(),
                     [](double v) { return std::isfinite(v); }))
      throw InputError(path.string() + ": the array \"" + array.name +
                       "\" holds a value that is not finite; repair the file");
  }
  return arrays;
}

}  // namespace

std::vector<ScalarArray> read_vtp_scalars(const std::filesystem::path& path) {
  return read_arrays(path, scalars_of,
                     "holds no array of one number per cell or point; write one, or a .csv file");
}

std::vector<ScalarArray> read_vtp_point_columns(const std::filesystem::path& path) {
  return read_arrays(path, point_columns_of, "holds no points");
}

}  // namespace rankine::meshes
