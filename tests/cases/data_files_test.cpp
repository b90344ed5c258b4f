// Files of values on panels or nodes, and of added mass.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cases/solve/added_mass_files.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/halves.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

TEST(ValuesFile, TakesPanelsAndNodesInAnyColumns) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.elements = {{0, 1, 2, -1}, {0, 1, 2, 3}};
  const auto panels = folder.write("p.csv", "# of two panels\n1.5\n\n-2e1 # the second\n");
  EXPECT_EQ(per_panel(mesh, pick_column(panels, ""), panels), (std::vector<double>{1.5, -20.0}));
  const auto nodes = folder.write("n.csv", "id, w\n1, 3\n2, 6\n3, 9\n4, 0\n5, 7\n");
  EXPECT_EQ(per_panel(mesh, pick_column(nodes, "w"), nodes), (std::vector<double>{6.0, 4.5}));
  const std::string file = nodes.string();
  EXPECT_EQ(answer_of<Error>([&] { pick_column(nodes, ""); }),
            file + ": holds 2 columns (id, w); name the one to take with array = \"...\"");
  EXPECT_EQ(answer_of<Error>([&] { pick_column(nodes, "v"); }),
            file + ": has no column \"v\"; did you mean \"w\"?");
  const auto wrong = folder.write("wrong.csv", "a b\n1 2\n3 x\n");
  EXPECT_EQ(answer_of<Error>([&] { read_columns(wrong); }),
            wrong.string() + ":3: \"x\" is not a finite number; give one for every column");
  const auto noise = folder.write("noise.csv", "a\n" + std::string(9999, '\x01') + "\n");
  EXPECT_LT(answer_of<Error>([&] { read_columns(noise); }).size(), noise.string().size() + 160);
  const auto few = folder.write("few.csv", "1 2\n3\n");
  EXPECT_EQ(answer_of<Error>([&] { read_columns(few); }),
            few.string() + ":2: found 1 values where 2 are needed, one for each column");
  EXPECT_EQ(answer_of<Error>([&] {
              per_panel(mesh, {"w", {1, 2, 3}}, few);
            }),
            few.string() +
                ": \"w\" has 3 values, the mesh 2 panels and 5 nodes; give one for each panel or "
                "each node of the whole mesh, in its order");
  EXPECT_EQ(answer_of<Error>([&] { read_columns(folder.path() / "none.csv"); }),
            (folder.path() / "none.csv").string() + ": no such file of values");
}

TEST(ValuesFile, TakesTheArraysOfASurface) {
  const TemporaryFolder folder;
  const meshes::SurfaceMesh mesh = halves();
  std::vector<double> of_panels(mesh.elements.size()), of_nodes(mesh.nodes.size(), 1.0);
  for (std::size_t e = 0; e < of_panels.size(); ++e)
    of_panels[e] = std::sin(static_cast<double>(e));
  meshes::Fields fields;
  fields.cell = {{"w", 1, of_panels}, {"u", 3, std::vector<double>(3 * of_panels.size(), 1.0)}};
  fields.point = {{"v", 1, of_nodes}};
  const auto file = folder.path() / "surface.vtp";
  meshes::write_surface_vtp(file, mesh, fields, {{"title", "values"}});
  EXPECT_EQ(per_panel(mesh, pick_column(file, "w"), file), of_panels);
  EXPECT_EQ(per_panel(mesh, pick_column(file, "v"), file),
            std::vector<double>(of_panels.size(), 1.0));
  EXPECT_TRUE(says(answer_of<Error>([&] { pick_column(file, "u"); }), "has no column \"u\""));
  const auto damaged = folder.write("damaged.vtp", "<VTKFile type=\"PolyData\">");
  EXPECT_TRUE(
      answer_of<Error>([&] { read_columns(damaged); }).starts_with(damaged.string() + ": "));
}

TEST(AddedMassFiles, HoldTheMatrixInBothUnits) {
  CaseBodies bodies;
  bodies.name = {"hull"};
  bodies.volume = {8.0};
  bodies.rigid.centre = {{1.0, 2.0, 3.0}};
  bem::AddedMass found;
  found.modes = 7;
  found.matrix.assign(49, 0.0);
  found.matrix[0] = 500.0;   // x x
  found.matrix[3] = 64.0;    // x rx
  found.matrix[24] = 320.0;  // rx rx
  found.matrix[48] = 9.0;
  const AddedMassMatrix matrix = describe(found, bodies, {{"bend"}, {}}, 1000.0);
  EXPECT_EQ(matrix.modes, (std::vector<std::string>{"hull x", "hull y", "hull z", "hull rx",
                                                    "hull ry", "hull rz", "bend"}));
  // rho V = 8000 kg, and a length of 2 m for rotations.
  EXPECT_DOUBLE_EQ(matrix.nondimensional[0][0], 500.0 / 8000.0);
  EXPECT_DOUBLE_EQ(matrix.nondimensional[0][3], 64.0 / 16000.0);
  EXPECT_DOUBLE_EQ(matrix.nondimensional[3][3], 320.0 / 32000.0);
  EXPECT_DOUBLE_EQ(matrix.nondimensional[6][6], 9.0 / 8000.0);
  const std::string csv = added_mass_csv(matrix);
  EXPECT_TRUE(
      csv.starts_with("mode,hull x,hull y,hull z,hull rx,hull ry,hull rz,bend\n"
                      "hull x,500,0,0,64,0,0,0\n"))
      << csv;
  EXPECT_TRUE(says(added_mass_json(matrix, 1000.0), "\"nondimensional\""));
}

}  // namespace
}  // namespace rankine::cases
