// Results for ParaView: the text of the files, and every value read back with VTK.
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPPolyDataReader.h>
#include <vtkXMLPolyDataReader.h>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/vtk/surface_pieces.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

using VtkOutput = FolderTest;

template <class Reader>
auto read(const std::filesystem::path& path) {
  const vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return vtkSmartPointer(reader->GetOutput());
}

/// Values with no pattern, so that neither order nor precision can be lost unseen.
Field field(const std::string& name, int components, std::size_t count) {
  Field result{name, components, {}};
  for (std::size_t k = 0; k < count * components; ++k) {
    result.values.push_back(std::sin(1.0 + 12.9898 * static_cast<double>(k)) * 1e3 / 3.0);
  }
  return result;
}

Fields some_fields(std::size_t cells, std::size_t points) {
  return {{field("phi", 1, cells), field("U", 3, cells)},
          {field("Cp", 1, points), field("U", 3, points)}};
}

void expect_fields(vtkDataSetAttributes& data, const std::vector<Field>& fields) {
  for (const Field& expected : fields) {
    auto* const array = vtkDoubleArray::SafeDownCast(data.GetArray(expected.name.c_str()));
    ASSERT_NE(array, nullptr) << expected.name;
    EXPECT_EQ(array->GetNumberOfComponents(), expected.components);
    ASSERT_EQ(array->GetNumberOfValues(), static_cast<vtkIdType>(expected.values.size()));
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
      EXPECT_EQ(array->GetValue(static_cast<vtkIdType>(k)), expected.values[k]);
    }
  }
}

std::vector<std::string> texts(vtkDataObject& data, const char* name) {
  auto* const array = vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray(name));
  std::vector<std::string> found;
  for (vtkIdType k = 0; array != nullptr && k < array->GetNumberOfValues(); ++k) {
    found.push_back(array->GetValue(k));
  }
  return found;
}

/// What every ParaView can open: Debian 12's cannot read any appended section.
void expect_inline(const std::string& text) {
  EXPECT_FALSE(says(text, "<AppendedData"));
  EXPECT_FALSE(says(text, "format=\"appended\""));
  EXPECT_TRUE(says(text, "format=\"binary\""));
  EXPECT_TRUE(says(text, "header_type=\"UInt64\""));
  EXPECT_TRUE(says(text, "compressor=\"vtkLZ4DataCompressor\""));
}

SurfaceMesh mixed_mesh() {
  SurfaceMesh mesh = joined(make_sphere(80), make_torus(80, 2.0, 0.5, {0, 0, 3}));
  for (std::size_t e = 80; e < mesh.elements.size(); ++e) mesh.patch[e] = 1;
  mesh.patch_names = {"ball", "outer ring"};
  return mesh;
}

TEST_F(VtkOutput, SurfaceReadsBackWithEqualValues) {
  const SurfaceMesh mesh = mixed_mesh();
  const Fields fields = some_fields(mesh.elements.size(), mesh.nodes.size());
  write_surface_vtp(in_folder("surface.vtp"), mesh, fields,
                    {{"title", "Flow past <two> bodies & more"}, {"units", "SI"}});
  expect_inline(read_text(in_folder("surface.vtp")));
  EXPECT_EQ(entries(folder().path()), 1u);

  const auto data = read<vtkXMLPolyDataReader>(in_folder("surface.vtp"));
  ASSERT_EQ(data->GetNumberOfPoints(), static_cast<vtkIdType>(mesh.nodes.size()));
  ASSERT_EQ(data->GetNumberOfCells(), static_cast<vtkIdType>(mesh.elements.size()));
  expect_fields(*data->GetCellData(), fields.cell);
  expect_fields(*data->GetPointData(), fields.point);
  auto* const patch = vtkIntArray::SafeDownCast(data->GetCellData()->GetArray("patch"));
  ASSERT_NE(patch, nullptr);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    EXPECT_EQ(patch->GetValue(static_cast<vtkIdType>(e)), mesh.patch[e]);
  }
  EXPECT_EQ(texts(*data, "patch_names"), mesh.patch_names);
  EXPECT_EQ(texts(*data, "title"), std::vector<std::string>{"Flow past <two> bodies & more"});
  EXPECT_EQ(texts(*data, "units"), std::vector<std::string>{"SI"});
}

// Together the pieces have the panels and cell data of the whole in their order, and at the corners
// of every panel its places and point data.
TEST_F(VtkOutput, PiecesTogetherAreTheSurface) {
  const SurfaceMesh mesh = mixed_mesh();
  const std::size_t panels = mesh.elements.size();
  const Fields fields = some_fields(panels, mesh.nodes.size());
  const std::vector<std::string> names = {"surface_0.vtp", "surface_1.vtp", "surface_2.vtp"};
  std::size_t nodes = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const SurfacePiece piece = piece_of(mesh, fields, panels * k / 3, panels * (k + 1) / 3);
    nodes += piece.mesh.nodes.size();
    EXPECT_LT(piece.mesh.nodes.size(), mesh.nodes.size() * 2 / 3);
    write_surface_vtp(in_folder(names[k]), piece.mesh, piece.fields);
  }
  write_pieces_pvtp(in_folder("surface.pvtp"), fields, names);

  const auto data = read<vtkXMLPPolyDataReader>(in_folder("surface.pvtp"));
  ASSERT_EQ(data->GetNumberOfPoints(), static_cast<vtkIdType>(nodes));
  ASSERT_EQ(data->GetNumberOfCells(), static_cast<vtkIdType>(panels));
  expect_fields(*data->GetCellData(), fields.cell);
  auto* const patch = vtkIntArray::SafeDownCast(data->GetCellData()->GetArray("patch"));
  ASSERT_NE(patch, nullptr);
  auto* const cp = data->GetPointData()->GetArray("Cp");
  auto* const u = data->GetPointData()->GetArray("U");
  ASSERT_TRUE(cp != nullptr && u != nullptr);
  for (std::size_t e = 0; e < panels; ++e) {
    const auto cell = static_cast<vtkIdType>(e);
    EXPECT_EQ(patch->GetValue(cell), mesh.patch[e]);
    const vtkNew<vtkIdList> corners;
    data->GetCellPoints(cell, corners);
    ASSERT_EQ(corners->GetNumberOfIds(), corner_count(mesh.elements[e]));
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
      const vtkIdType found = corners->GetId(k);
      const auto expected = static_cast<std::size_t>(mesh.elements[e][k]);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(data->GetPoint(found)[axis], mesh.nodes[expected][axis]);
        EXPECT_EQ(u->GetComponent(found, axis),
                  fields.point[1].values[3 * expected + static_cast<std::size_t>(axis)]);
      }
      EXPECT_EQ(cp->GetComponent(found, 0), fields.point[0].values[expected]);
    }
  }
}

TEST_F(VtkOutput, SurfaceIsAMeshFileWithItsPatches) {
  const SurfaceMesh mesh = mixed_mesh();
  write_mesh(in_folder("mesh.vtp"), mesh);
  const SurfaceMesh again = read_mesh(in_folder("mesh.vtp"));
  EXPECT_EQ(again.nodes, mesh.nodes);
  EXPECT_EQ(again.elements, mesh.elements);
  EXPECT_EQ(again.patch, mesh.patch);
  EXPECT_EQ(again.patch_names, mesh.patch_names);
}

TEST_F(VtkOutput, VolumeReadsBackWithEqualValues) {
  const Grid grid{{-1.0, 0.5, 2.0}, {0.1, 0.2, 0.3}, {5, 4, 3}};
  const Fields fields = some_fields(std::size_t{4} * 3 * 2, std::size_t{5} * 4 * 3);
  write_volume_vti(in_folder("box.vti"), grid, fields, {{"version", "1.2.3"}});
  expect_inline(read_text(in_folder("box.vti")));
  const auto data = read<vtkXMLImageDataReader>(in_folder("box.vti"));
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(data->GetDimensions()[d], grid.points[d]);
    EXPECT_EQ(data->GetOrigin()[d], grid.origin[d]);
    EXPECT_EQ(data->GetSpacing()[d], grid.spacing[d]);
  }
  expect_fields(*data->GetCellData(), fields.cell);
  expect_fields(*data->GetPointData(), fields.point);
  EXPECT_EQ(texts(*data, "version"), std::vector<std::string>{"1.2.3"});
}

TEST_F(VtkOutput, APlaneIsAVolumeOfOneLayer) {
  const Grid grid{{0.0, 0.0, 0.0}, {0.5, 0.5, 1.0}, {7, 6, 1}};
  const Fields fields = some_fields(std::size_t{6} * 5, std::size_t{7} * 6);
  write_volume_vti(in_folder("plane.vti"), grid, fields);
  const auto data = read<vtkXMLImageDataReader>(in_folder("plane.vti"));
  EXPECT_EQ(data->GetNumberOfCells(), 30);
  expect_fields(*data->GetCellData(), fields.cell);
  expect_fields(*data->GetPointData(), fields.point);
}

TEST_F(VtkOutput, PointsReadBackWithEqualValues) {
  const std::vector<Vec3d> points = make_sphere(20).nodes;
  for (const bool line : {false, true}) {
    const std::size_t cells = line ? 1 : points.size();
    const Fields fields = some_fields(cells, points.size());
    if (line) {
      write_lines_vtp(in_folder("points.vtp"), points, {points.size()}, fields);
    } else {
      write_points_vtp(in_folder("points.vtp"), points, fields);
    }
    expect_inline(read_text(in_folder("points.vtp")));
    const auto data = read<vtkXMLPolyDataReader>(in_folder("points.vtp"));
    EXPECT_EQ(data->GetNumberOfVerts(), line ? 0 : 12);
    EXPECT_EQ(data->GetNumberOfLines(), line ? 1 : 0);
    ASSERT_EQ(data->GetNumberOfPoints(), 12);
    for (vtkIdType n = 0; n < 12; ++n) {
      const double* const x = data->GetPoint(n);
      EXPECT_EQ((Vec3d{x[0], x[1], x[2]}), points[n]);
    }
    expect_fields(*data->GetCellData(), fields.cell);
    expect_fields(*data->GetPointData(), fields.point);
  }
}

TEST_F(VtkOutput, CollectionNamesItsFiles) {
  write_collection_pvd(in_folder("series.pvd"), {{0.0, "a/surface.vtp"}, {0.5, "b & c.vtp"}});
  const std::string text = read_text(in_folder("series.pvd"));
  EXPECT_TRUE(says(text, "type=\"Collection\""));
  EXPECT_TRUE(says(text, "timestep=\"0.5\""));
  EXPECT_TRUE(says(text, "file=\"a/surface.vtp\""));
  EXPECT_TRUE(says(text, "file=\"b &amp; c.vtp\""));
}

TEST_F(VtkOutput, UnwritablePlacesAreRefused) {
  const SurfaceMesh mesh = make_sphere(20);
  const auto nowhere = in_folder("nowhere");
  EXPECT_THROW(write_surface_vtp(nowhere / "a.vtp", mesh, {}), InputError);
  EXPECT_THROW(write_volume_vti(nowhere / "a.vti", {}, {}), InputError);
  EXPECT_THROW(write_points_vtp(nowhere / "a.vtp", mesh.nodes, {}), InputError);
  EXPECT_THROW(write_collection_pvd(nowhere / "a.pvd", {}), InputError);
  EXPECT_EQ(entries(folder().path()), 0u);
}

// VTK's own streams crash here (.vtp), or print a message of VTK's (.vti).
TEST_F(VtkOutput, AFullDiskIsAnErrorOfOurs) {
  const SurfaceMesh mesh = make_sphere(1280);
  const Grid grid{{0.0, 0.0, 0.0}, {0.5, 0.5, 1.0}, {40, 40, 1}};
  const Fields on_mesh = some_fields(mesh.elements.size(), mesh.nodes.size()),
               on_grid = some_fields(std::size_t{39} * 39, std::size_t{40} * 40);
  for (const rlim_t room : {0u, 100u, 5000u, 20000u}) {
    const testing::FileSizeLimit full(room);
    ::testing::internal::CaptureStderr();
    for (const std::string& message :
         {message_of<InputError>([&] { write_surface_vtp(in_folder("a.vtp"), mesh, on_mesh); }),
          message_of<InputError>([&] { write_volume_vti(in_folder("a.vti"), grid, on_grid); }),
          message_of<InputError>([&] {
            write_points_vtp(in_folder("b.vtp"), mesh.nodes, {{}, on_mesh.point});
          })}) {
      EXPECT_TRUE(says(message, "cannot write " + folder().path().string()));
      EXPECT_TRUE(says(message, "File too large"));
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(entries(folder().path()), 0u);
  }
}

// Gmsh does not look whether its bytes arrive.
TEST_F(VtkOutput, AMeshCutShortIsAnErrorOfOurs) {
  const SurfaceMesh mesh = make_sphere(1280);
  for (const char* name : {"a.msh", "a.stl", "a.vtp"}) {
    const testing::FileSizeLimit full(10000);
    EXPECT_TRUE(
        says(message_of<InputError>([&] { write_mesh(in_folder(name), mesh); }), "cannot write"));
    EXPECT_EQ(entries(folder().path()), 0u);
  }
}

}  // namespace
}  // namespace rankine::meshes
