#include "rankine/meshes/vtk/vtk_writer.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputStream.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <ostream>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/files/output_file.hpp"
#include "rankine/meshes/vtk/encoding.hpp"
#include "rankine/meshes/vtk/vtk_messages.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

/// Adds arrays that refer to the values of the fields, which must outlive the data set.
void add_arrays(vtkDataSetAttributes& attributes, const std::vector<Field>& fields,
                [[maybe_unused]] vtkIdType count) {
  for (const Field& field : fields) {
    assert(field.values.size() == static_cast<std::size_t>(count) * field.components);
    if (field.name == vtkDataSetAttributes::GhostArrayName()) {
      const vtkNew<vtkUnsignedCharArray> ghosts;
      ghosts->SetName(field.name.c_str());
      for (const double each : field.values)
        ghosts->InsertNextValue(static_cast<unsigned char>(each));
      attributes.AddArray(ghosts);
      continue;
    }
    const vtkNew<vtkDoubleArray> array;
    array->SetName(field.name.c_str());
    array->SetNumberOfComponents(field.components);
    constexpr int keep_ownership = 1;
    array->SetArray(const_cast<double*>(field.values.data()),
                    static_cast<vtkIdType>(field.values.size()), keep_ownership);
    attributes.AddArray(array);
  }
}

void add_texts(vtkDataSet& data, const std::string& name, const std::vector<std::string>& texts) {
  const vtkNew<vtkStringArray> array;
  array->SetName(name.c_str());
  for (const std::string& text : texts) array->InsertNextValue(text);
  data.GetFieldData()->AddArray(array);
}

void add_fields(vtkDataSet& data, const Fields& fields, const Metadata& metadata) {
  add_arrays(*data.GetCellData(), fields.cell, data.GetNumberOfCells());
  add_arrays(*data.GetPointData(), fields.point, data.GetNumberOfPoints());
  for (const auto& [name, text] : metadata) add_texts(data, name, {text});
}

/// Replaces vtkBase64OutputStream, which passes four characters at a time to the stream and takes
/// two thirds of the time of writing a file.
class Base64Stream : public vtkOutputStream {
 public:
  static Base64Stream* New() { VTK_STANDARD_NEW_BODY(Base64Stream); }

  int StartWriting() override {
    if (this->Stream == nullptr) return 0;
    encoder_.emplace(*this->Stream);
    return 1;
  }

  int Write(const void* data, std::size_t length) override {
    encoder_->write(data, length);
    return good();
  }

  int EndWriting() override {
    encoder_->finish();
    return good();
  }

 private:
  int good() const { return this->Stream->good() ? 1 : 0; }

  std::optional<Base64Encoder> encoder_;  ///< set by StartWriting, which VTK calls first
};

/// A VTK writer on a given stream: with VTK's own streams a full disk causes a crash or a message
/// on standard error.
template <class Writer>
class StreamWriter : public Writer {
 public:
  static StreamWriter* New() { VTK_STANDARD_NEW_BODY(StreamWriter); }

  void write_to(std::ostream& stream) {
    stream_ = &stream;
    this->SetCompressor(lz4_.compressor());
    this->WriteToOutputStringOn();  // instead of a file; the string stays empty
    this->Write();
  }

 protected:
  int StartFile() override {
    this->Stream = stream_;
    const vtkNew<Base64Stream> base64;
    this->SetDataStream(base64);
    base64->SetStream(stream_);
    return Writer::StartFile();
  }

  void WriteInlineData(vtkAbstractArray* array, vtkIndent indent) override {
    if (auto* const numbers = vtkDataArray::SafeDownCast(array)) {
      lz4_.expect(numbers->GetVoidPointer(0),
                  static_cast<std::size_t>(numbers->GetNumberOfValues()) *
                      static_cast<std::size_t>(numbers->GetDataTypeSize()));
    }
    Writer::WriteInlineData(array, indent);
  }

 private:
  std::ostream* stream_ = nullptr;
  ParallelLz4 lz4_;
};

template <class Writer>
void write(const fs::path& path, vtkDataSet& data) {
  // Floating-point data hardly compress: zlib takes ten times as long as LZ4 and saves a seventh
  // more.
  write_file(path, [&](std::ostream& stream) {
    const VtkMessages messages;
    const vtkNew<StreamWriter<Writer>> writer;
    writer->SetInputData(&data);
    writer->SetDataModeToBinary();
    writer->SetHeaderTypeToUInt64();
    writer->write_to(stream);
    if (writer->GetErrorCode() == 0 && messages.text().empty()) return;
    throw InputError("cannot write " + path.string() + ": " + messages.text());
  });
}

vtkSmartPointer<vtkPoints> make_points(const std::vector<Vec3d>& positions) {
  const vtkNew<vtkDoubleArray> array;
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(static_cast<vtkIdType>(positions.size()));
  double* const values = array->GetPointer(0);
  parallel_for(positions.size(), [&](std::size_t n) {
    for (int axis = 0; axis < 3; ++axis)
      values[3 * n + static_cast<std::size_t>(axis)] = positions[n][axis];
  });
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(array);
  return points;
}

vtkSmartPointer<vtkCellArray> make_cells(const std::vector<Element>& elements) {
  const vtkNew<vtkTypeInt64Array> offsets, corners;
  offsets->SetNumberOfValues(static_cast<vtkIdType>(elements.size()) + 1);
  vtkTypeInt64* const first = offsets->GetPointer(0);
  first[0] = 0;
  for (std::size_t e = 0; e < elements.size(); ++e)
    first[e + 1] = first[e] + corner_count(elements[e]);
  corners->SetNumberOfValues(first[elements.size()]);
  vtkTypeInt64* const nodes = corners->GetPointer(0);
  parallel_for(elements.size(), [&](std::size_t e) {
    std::copy_n(elements[e].begin(), corner_count(elements[e]), nodes + first[e]);
  });
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, corners);
  return cells;
}

}  // namespace

void write_surface_vtp(const fs::path& path, const SurfaceMesh& mesh, const Fields& fields,
                       const Metadata& metadata,
                       std::span<const std::array<std::int32_t, 2>> lines) {
  const vtkNew<vtkPolyData> data;
  data->SetPoints(make_points(mesh.nodes));
  data->SetPolys(make_cells(mesh.elements));
  if (!lines.empty()) {
    const vtkNew<vtkCellArray> cells;
    for (const auto& [first, second] : lines) {
      const std::array<vtkIdType, 2> ends{first, second};
      cells->InsertNextCell(2, ends.data());
    }
    data->SetLines(cells);
  }
  const vtkNew<vtkIntArray> patch;
  patch->SetName("patch");
  patch->SetNumberOfValues(static_cast<vtkIdType>(lines.size() + mesh.patch.size()));
  std::fill_n(patch->GetPointer(0), lines.size(), -1);
  std::copy(mesh.patch.begin(), mesh.patch.end(), patch->GetPointer(0) + lines.size());
  data->GetCellData()->AddArray(patch);
  add_texts(*data, "patch_names", mesh.patch_names);
  add_fields(*data, fields, metadata);
  write<vtkXMLPolyDataWriter>(path, *data);
}

void write_volume_vti(const fs::path& path, const Grid& grid, const Fields& fields,
                      const Metadata& metadata) {
  const vtkNew<vtkImageData> data;
  data->SetDimensions(grid.points.data());
  data->SetOrigin(grid.origin.x, grid.origin.y, grid.origin.z);
  data->SetSpacing(grid.spacing.x, grid.spacing.y, grid.spacing.z);
  add_fields(*data, fields, metadata);
  write<vtkXMLImageDataWriter>(path, *data);
}

void write_points_vtp(const fs::path& path, const std::vector<Vec3d>& points, const Fields& fields,
                      const Metadata& metadata) {
  const vtkNew<vtkCellArray> cells;
  for (vtkIdType n = 0; n < static_cast<vtkIdType>(points.size()); ++n)
    cells->InsertNextCell(1, &n);
  const vtkNew<vtkPolyData> data;
  data->SetPoints(make_points(points));
  data->SetVerts(cells);
  add_fields(*data, fields, metadata);
  write<vtkXMLPolyDataWriter>(path, *data);
}

void write_lines_vtp(const fs::path& path, const std::vector<Vec3d>& points,
                     const std::vector<std::size_t>& sizes, const Fields& fields,
                     const Metadata& metadata) {
  const vtkNew<vtkCellArray> cells;
  vtkIdType next = 0;
  for (const std::size_t size : sizes) {
    cells->InsertNextCell(static_cast<int>(size));
    for (std::size_t k = 0; k < size; ++k) cells->InsertCellPoint(next++);
  }
  const vtkNew<vtkPolyData> data;
  data->SetPoints(make_points(points));
  data->SetLines(cells);
  add_fields(*data, fields, metadata);
  write<vtkXMLPolyDataWriter>(path, *data);
}

void write_collection_pvd(const fs::path& path,
                          const std::vector<std::pair<double, fs::path>>& steps) {
  const vtkNew<vtkXMLDataElement> collection;
  collection->SetName("Collection");
  for (const auto& [time, file] : steps) {
    const vtkNew<vtkXMLDataElement> step;
    step->SetName("DataSet");
    step->SetDoubleAttribute("timestep", time);
    step->SetAttribute("file", file.generic_string().c_str());
    collection->AddNestedElement(step);
  }
  const vtkNew<vtkXMLDataElement> root;
  root->SetName("VTKFile");
  root->SetAttribute("type", "Collection");
  root->SetAttribute("version", "0.1");
  root->AddNestedElement(collection);
  write_file(path, [&](std::ostream& stream) { root->PrintXML(stream, vtkIndent()); });
}

}  // namespace rankine::meshes
