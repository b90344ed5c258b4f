// The formats that VTK's readers understand, from files that VTK's own writers made.
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPLYWriter.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataWriter.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridWriter.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

using VtkInput = FolderTest;

vtkSmartPointer<vtkPoints> points_of(const SurfaceMesh& mesh) {
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  for (const Vec3d& node : mesh.nodes) points->InsertNextPoint(node.x, node.y, node.z);
  return points;
}

vtkSmartPointer<vtkCellArray> cells_of(const SurfaceMesh& mesh) {
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  for (const Element& element : mesh.elements) {
    cells->InsertNextCell(corner_count(element));
    for (int k = 0; k < corner_count(element); ++k) cells->InsertCellPoint(element[k]);
  }
  return cells;
}

template <class Writer>
void write_polygons(const std::filesystem::path& path, const SurfaceMesh& mesh) {
  const vtkNew<vtkPolyData> data;
  data->SetPoints(points_of(mesh));
  data->SetPolys(cells_of(mesh));
  const vtkNew<Writer> writer;
  writer->SetFileName(path.c_str());
  writer->SetInputData(data);
  ASSERT_EQ(writer->Write(), 1);
}

template <class Writer>
void write_grid(const std::filesystem::path& path, const SurfaceMesh& mesh, int cell_type) {
  const vtkNew<vtkUnstructuredGrid> data;
  data->SetPoints(points_of(mesh));
  data->SetCells(cell_type, cells_of(mesh));
  const vtkNew<Writer> writer;
  writer->SetFileName(path.c_str());
  writer->SetInputData(data);
  ASSERT_EQ(writer->Write(), 1);
}

void expect_same(const SurfaceMesh& read, const SurfaceMesh& mesh, double tolerance) {
  EXPECT_EQ(read.elements, mesh.elements);
  ASSERT_EQ(read.nodes.size(), mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    EXPECT_LE(norm(read.nodes[n] - mesh.nodes[n]), tolerance);
  }
  EXPECT_EQ(read.patch_names, std::vector<std::string>{"body"});
}

/// PLY stores single precision: 6e-8 of numbers up to 3, in three components.
TEST_F(VtkInput, PlyAndPolygonsAreRead) {
  for (const SurfaceMesh& mesh : {make_sphere(80), make_torus(80, 2.0, 1.0)}) {
    write_polygons<vtkPLYWriter>(in_folder("mesh.ply"), mesh);
    expect_same(read_mesh(in_folder("mesh.ply")), mesh, 6e-7);
    write_polygons<vtkXMLPolyDataWriter>(in_folder("mesh.vtp"), mesh);
    expect_same(read_mesh(in_folder("mesh.vtp")), mesh, 0.0);
    write_polygons<vtkPolyDataWriter>(in_folder("mesh.vtk"), mesh);
    expect_same(read_mesh(in_folder("mesh.vtk")), mesh, 1e-5);  // six digits of text
  }
}

TEST_F(VtkInput, UnstructuredGridsAreRead) {
  const SurfaceMesh triangles = make_sphere(80), quadrilaterals = make_torus(80, 2.0, 1.0);
  write_grid<vtkXMLUnstructuredGridWriter>(in_folder("t.vtu"), triangles, VTK_TRIANGLE);
  expect_same(read_mesh(in_folder("t.vtu")), triangles, 0.0);
  write_grid<vtkXMLUnstructuredGridWriter>(in_folder("q.vtu"), quadrilaterals, VTK_QUAD);
  expect_same(read_mesh(in_folder("q.vtu")), quadrilaterals, 0.0);
  write_grid<vtkUnstructuredGridWriter>(in_folder("t.vtk"), triangles, VTK_TRIANGLE);
  expect_same(read_mesh(in_folder("t.vtk")), triangles, 1e-5);
}

/// A pixel numbers its corners row by row, a quadrilateral goes round.
TEST_F(VtkInput, PixelsBecomeQuadrilaterals) {
  const SurfaceMesh box = make_box(24, {1.0, 1.0, 1.0});
  SurfaceMesh rows = box;
  for (Element& element : rows.elements) std::swap(element[2], element[3]);
  write_grid<vtkXMLUnstructuredGridWriter>(in_folder("box.vtu"), rows, VTK_PIXEL);
  expect_same(read_mesh(in_folder("box.vtu")), box, 0.0);
}

TEST_F(VtkInput, LargerPolygonsAndStripsAreSplit) {
  const std::string points =
      "# vtk DataFile Version 3.0\np\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n"
      "0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n";
  const auto read = [&](const std::string& cells) {
    return read_mesh(folder().write("p.vtk", points + cells));
  };
  const SurfaceMesh fan = read("POLYGONS 2 10\n5 0 1 2 3 4\n3 0 1 2\n");
  EXPECT_EQ(fan.elements,
            (std::vector<Element>{{0, 1, 2, -1}, {0, 2, 3, -1}, {0, 3, 4, -1}, {0, 1, 2, -1}}));
  EXPECT_TRUE(says(fan.warnings.at(0), "1 polygon of more than four corners is split into 3"));
  const SurfaceMesh strip = read("TRIANGLE_STRIPS 1 6\n5 0 1 4 2 3\n");
  EXPECT_EQ(strip.elements, (std::vector<Element>{{0, 1, 4, -1}, {4, 1, 2, -1}, {4, 2, 3, -1}}));
  EXPECT_TRUE(says(message_of<MeshError>([&] { read("POLYGONS 1 6\n5 0 1 2 3 9\n"); }),
                   "names node 9, and the file has no such node"));
  EXPECT_TRUE(says(message_of<MeshError>([&] { read("POLYGONS 1 6\n5 1 1 1 1 1\n"); }),
                   "cell 0 of 5 corners crosses itself or has no area"));
}

/// Faces with nodes of their own at the same places, as programs export them for shading.
TEST_F(VtkInput, SeparateCornersAreMerged) {
  const SurfaceMesh mesh = make_sphere(80);
  SurfaceMesh apart = mesh;
  apart.nodes.clear();
  for (Element& element : apart.elements) {
    for (int k = 0; k < 3; ++k) {
      apart.nodes.push_back(mesh.nodes[element[k]]);
      element[k] = static_cast<std::int32_t>(apart.nodes.size()) - 1;
    }
  }
  write_polygons<vtkXMLPolyDataWriter>(in_folder("mesh.vtp"), apart);
  const SurfaceMesh read = read_mesh(in_folder("mesh.vtp"));
  EXPECT_EQ(read.nodes.size(), mesh.nodes.size());
  EXPECT_TRUE(check_mesh(read).watertight());
  EXPECT_TRUE(says(read.warnings.at(0), "198 nodes at the place of another"));
}

}  // namespace
}  // namespace rankine::meshes
