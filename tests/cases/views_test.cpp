// What is seen of a solution beside surface.vtp: sections, streamlines, points from files.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cases/input/read_case.hpp"
#include "cases/solve/probes.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/surface.hpp"
#include "cases/solve/views.hpp"
#include "cases/verbs/given_case.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/halo.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/sphere_case.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::sphere_case;

using testing::TemporaryFolder;

std::string message_of(const std::function<void()>& call) {
  return testing::message_of<InputError>(call);
}

TEST(Views, AreReadAndWrittenBack) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", sphere_case + R"([[output.section]]
name = "midship"
origin = [0.5, 0, 0]
normal = [2, 0, 0]
[[output.streamlines]]
name = "rake"
kind = "points"
file = "seeds.csv"
course = "both"
length = 4.5
tolerance = 1e-6
box = [[3, 3, 3], [-3, -2, -1]]
[[output.probe]]
name = "taps"
kind = "points"
file = "taps.vtp"
)");
  const Case c = read_case(file);
  ASSERT_EQ(c.output.sections.size(), 1u);
  EXPECT_EQ(c.output.sections[0].name, "midship");
  EXPECT_EQ(c.output.sections[0].origin, (Vec3d{0.5, 0, 0}));
  EXPECT_EQ(c.output.sections[0].normal, (Vec3d{2, 0, 0}));
  ASSERT_EQ(c.output.streamlines.size(), 1u);
  const StreamlineInput& lines = c.output.streamlines[0];
  EXPECT_EQ(lines.seeds.file, folder.path() / "seeds.csv");
  EXPECT_EQ(lines.course, Course::both);
  EXPECT_EQ(lines.length, 4.5);
  EXPECT_EQ(lines.tolerance, 1e-6);
  EXPECT_EQ(lines.box->lower, (Vec3d{-3, -2, -1}));
  EXPECT_EQ(lines.box->upper, (Vec3d{3, 3, 3}));
  EXPECT_EQ(c.output.probes[0].file, folder.path() / "taps.vtp");
  const std::string text = write_case(c, folder.path());
  EXPECT_EQ(write_case(read_case(folder.write("again.toml", text)), folder.path()), text) << text;
}

TEST(ViewMistakes, AreTold) {
  const TemporaryFolder folder;
  for (const auto& [text, message] : std::vector<testing::Mistake>{
           {"[[output.section]]\nname = \"a\"\norigin = [0, 0, 0]\n",
            "case.toml:5:1: output.section.normal is missing; give for example: normal = [1.0, "
            "0.0, 0.0]"},
           {"[[output.section]]\nname = \"a\"\norigin = [0, 0, 0]\nnormal = [0, 0, 0]\n",
            "case.toml:8:10: output.section.normal has no direction; give one, of any length"},
           {"[[output.section]]\nname = \"residuals\"\norigin = [0, 0, 0]\nnormal = [0, 0, 1]\n",
            "case.toml:6:8: output.section.name \"residuals\" is taken; every section needs its "
            "own file name"},
           {"[[output.streamlines]]\nname = \"a\"\nkind = \"points\"\npoints = [[0, 0, 2]]\nlength "
            "= -1\n",
            "case.toml:9:10: output.streamlines.length must be at least 0, found -1"},
           {"[[output.streamlines]]\nname = \"a\"\nkind = \"points\"\npoints = [[0, 0, 2]]\nbox = "
            "[[0, 0, 0], [1, 1, 0]]\n",
            "case.toml:9:7: output.streamlines.box needs two opposite corners, [[-3, -3, -3], [3, "
            "3, 3]]"},
           {"[[output.probe]]\nname = \"a\"\nkind = \"line\"\nfrom = [0, 0, 0]\nto = [1, 1, "
            "1]\nfile = \"a.csv\"\n",
            "case.toml:10:8: output.probe.file has no meaning for a probe of kind \"line\"; remove "
            "it"}}) {
    const auto file = folder.write("case.toml", sphere_case + text);
    EXPECT_EQ(message_of([&] { read_case(file); }), (folder.path() / message).string());
  }
}

TEST(PointFiles, GivePoints) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name) {
    OutputInput output;
    output.probes.emplace_back().file = folder.path() / name;
    read_point_files(output);
    return output.probes[0].points;
  };
  const std::vector<Vec3d> points{{1, 2, 3}, {-4, 5e-1, 6}};
  folder.write("plain.csv", "1 2 3\n-4; 0.5, 6 # the second\n");
  folder.write("named.csv", "id,z,x,y\n7,3,1,2\n8,6,-4,0.5\n");
  meshes::write_points_vtp(folder.path() / "a.vtp", points, {});
  folder.write(
      "a.vtk",
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 2 double\n1 2 3 -4 0.5 6\n");
  for (const std::string name : {"plain.csv", "named.csv", "a.vtp", "a.vtk"})
    EXPECT_EQ(read(name), points) << name;
  const std::string of_file = "kind = \"points\"\nfile = \"plain.csv\"\n";
  const auto file =
      folder.write("case.toml", sphere_case + "[[output.probe]]\nname = \"a\"\n" + of_file +
                                    "[[output.streamlines]]\nname = \"b\"\n" + of_file);
  CaseArguments arguments;
  arguments.file = file;
  const OutputInput output = given_case(arguments).output;
  EXPECT_EQ(output.probes.at(0).points, points);
  EXPECT_EQ(output.streamlines.at(0).seeds.points, points);
  folder.write("two.csv", "x,y\n1,2\n");
  EXPECT_TRUE(testing::says(message_of([&] { read("two.csv"); }), "two.csv: has no column \"z\""));
  EXPECT_TRUE(
      testing::says(message_of([&] { read("none.vtp"); }), "none.vtp: no such file of points"));
  EXPECT_TRUE(testing::says(message_of([&] { read("a.stl"); }), "points are read from .csv, .vtp"));
}

/// Fields that are linear are found exactly along every cut, with the panel's own names.
TEST(Sections, HoldTheFieldsOfTheSurface) {
  const TemporaryFolder folder;
  meshes::SurfaceMesh mesh = testing::joined(testing::jittered_sphere(1280),
                                             testing::moved(testing::cubed_sphere(384), {0, 3, 0}));
  mesh.patch_names = {"left, \"old\"", "right"};
  const Case c = read_case(folder.write("case.toml", sphere_case));
  const bem::FlowProblem problem = make_problem(c, mesh);
  const CaseBodies bodies = find_case_bodies(c, mesh, problem.panels);
  meshes::Fields fields;
  const Vec3d slope{0.3, -2.0, 0.7};
  meshes::Field height{"h", 1, {}}, place{"x", 3, {}};
  for (const Vec3d& x : mesh.nodes) {
    height.values.push_back(1.0 + dot(slope, x));
    place.values.insert(place.values.end(), {x.x, x.y, x.z});
  }
  fields.point = {height, place};
  Log log(Log::Level::quiet);
  const std::vector<SectionResult> found = cut_sections(
      {{"both", {0, 0, 0.1}, {0.1, 0, 1}}, {"none", {0, 0, 5}, {0, 0, 1}, "case.toml:7:2"}}, mesh,
      fields, bodies, log);
  ASSERT_EQ(log.warnings().size(), 1u);
  EXPECT_EQ(log.warnings()[0],
            "case.toml:7:2: the plane of the section \"none\" misses the surface by 4 m; no file "
            "is written for it");
  ASSERT_EQ(found.size(), 1u);
  const SectionResult& both = found[0];
  ASSERT_EQ(both.sizes.size(), 2u);
  ASSERT_EQ(both.fields.point.size(), 6u);
  std::size_t at = 0;
  for (std::size_t line = 0; line < 2; ++line) {
    double length = 0.0;
    for (std::size_t k = 0; k < both.sizes[line]; ++k, ++at) {
      const Vec3d& x = both.points[at];
      if (k > 0) length += norm(x - both.points[at - 1]);
      EXPECT_EQ(both.fields.point[0].values[at], static_cast<double>(line));
      EXPECT_NEAR(both.fields.point[1].values[at], length, 1e-12);
      EXPECT_NEAR(both.fields.point[2].values[at], 1.0 + dot(slope, x), 1e-12);
      EXPECT_NEAR(both.fields.point[3].values[3 * at + 1], x.y, 1e-12);
      EXPECT_EQ(both.fields.point[4].values[at], x.y > 1.5 ? 1.0 : 0.0);
      EXPECT_EQ(both.fields.point[5].values[at], x.y > 1.5 ? 1.0 : 0.0);
    }
    EXPECT_NEAR(length, 2.0 * std::acos(-1.0), 0.1);
  }
  std::istringstream csv(section_csv(both, mesh, bodies));
  std::string first, row;
  std::getline(csv, first);
  EXPECT_EQ(first, "line,s,x,y,z,h,x_x,x_y,x_z,patch,body");
  std::size_t rows = 0, quoted = 0;
  while (std::getline(csv, row)) {
    ++rows;
    quoted += row.find(",\"left, \"\"old\"\"\",") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(rows, both.points.size());
  EXPECT_EQ(quoted, both.sizes[both.points[0].y > 1.5 ? 1 : 0]);
}

/// Nodes on a plane see both sides of it.
TEST(SurfaceFields, AtNodesOnPlanesAreThoseOfTheWhole) {
  const meshes::Symmetry symmetry({{1, 0.0, 1.0}, {2, 0.0, -1.0}});
  meshes::SurfaceMesh part = testing::positive_part(testing::cubed_sphere(384), {1, 2});
  meshes::meet_planes(part, symmetry);
  const meshes::SurfaceMesh whole = testing::with_images(part, symmetry);
  const auto fields_of = [](const meshes::SurfaceMesh& mesh, const meshes::Symmetry& planes) {
    bem::FlowProblem problem{.panels = bem::make_panels(mesh, bem::PanelGeometry::curved, planes),
                             .stream = {0.0, 0.0, 1.0}};
    bem::Solution solution;
    for (const Vec3d& x : problem.panels.centroid) {
      solution.phi.push_back(x.z * (1.0 + x.x));
      solution.velocity.push_back({x.z, x.y * x.z, 1.0 + x.x});
      solution.pressure.push_back(x.x + x.y * x.y);
    }
    solution.flux = solution.charge = solution.doublet = solution.phi;
    solution.stream = problem.stream;
    return surface_fields(mesh, problem, solution, {});
  };
  const meshes::Fields of_part = fields_of(part, symmetry), of_whole = fields_of(whole, {});
  ASSERT_EQ(of_part.point.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f) {
    const meshes::Field &one = of_part.point[f], &other = of_whole.point[f];
    ASSERT_EQ(one.name, other.name);
    for (std::size_t k = 0; k < one.values.size(); ++k)
      EXPECT_NEAR(one.values[k], other.values[k],
                  1e-5);  // images of quadrilaterals have the other diagonal
  }
}

/// Upstream and downstream of a seed make one line, in the direction of the flow; seeds in bodies
/// have none.
TEST(StreamlinesOfACase, FollowTheFlowOnTheirCourse) {
  const TemporaryFolder folder;
  Case c = read_case(folder.write("case.toml", sphere_case + R"([[output.streamlines]]
name = "rake"
kind = "line"
from = [0, 0, 0.8]
to = [0, 0, 1.6]
count = 3
length = 0.9
)"));
  const meshes::SurfaceMesh mesh = testing::jittered_sphere(320);
  const bem::FlowProblem problem = make_problem(c, mesh);
  const auto backend = bem::make_cpu_backend();
  const bem::Solution solution = bem::solve(problem, {}, *backend);
  bem::FieldEvaluator field(problem, solution, {}, *backend);
  BoundingBox box;
  for (const Vec3d& x : mesh.nodes) box.add(x);
  for (const Course course : {Course::both, Course::downstream, Course::upstream}) {
    c.output.streamlines.front().course = course;
    const auto found =
        trace_streamlines(c.output.streamlines, box, [&](std::span<const Vec3d> points) {
          return point_values(problem, solution.stream, field.at(points));
        });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].in_bodies, 1u);
    ASSERT_EQ(found[0].sizes.size(), 2u);
    const std::vector<meshes::Field>& data = found[0].fields.point;
    ASSERT_EQ(data[0].name, "s");
    ASSERT_EQ(data[1].name, "seed");
    ASSERT_EQ(data[2].name, "speed");
    const double first = course == Course::downstream ? 0.0 : -0.9,
                 last = course == Course::upstream ? 0.0 : 0.9;
    std::size_t at = 0;
    for (std::size_t line = 0; line < 2; ++line) {
      EXPECT_NEAR(data[0].values[at], first, 1e-12);
      EXPECT_NEAR(data[0].values[at + found[0].sizes[line] - 1], last, 1e-12);
      for (std::size_t k = 0; k < found[0].sizes[line]; ++k, ++at) {
        EXPECT_EQ(data[1].values[at], static_cast<double>(line + 1));
        const double* const u = data[3].values.data() + 3 * at;
        EXPECT_NEAR(data[2].values[at], std::hypot(u[0], u[1], u[2]), 1e-14);
        if (k > 0) {
          EXPECT_GT(found[0].points[at].x, found[0].points[at - 1].x);
        }
      }
    }
  }
}

/// An order in the case is too low for the tolerance: there is a warning. Without it there is none.
TEST(ProbesOfACase, SayIfTheirSumsMissTheTolerance) {
  const TemporaryFolder folder;
  const Case c = read_case(folder.write("case.toml", sphere_case + R"([[output.probe]]
name = "above"
kind = "plane"
origin = [-2, -2, 1.5]
size = [4, 4, 0]
cells = [40, 40, 1]
)"));
  const meshes::SurfaceMesh mesh = meshes::make_sphere(5120, 1.0);
  const bem::FlowProblem problem = make_problem(c, mesh);
  const auto backend = bem::make_cpu_backend();
  const bem::Solution solution = bem::solve(problem, {}, *backend);
  for (const int order : {0, 6}) {
    bem::FlowOptions options;
    options.fmm.order = order;
    Log log(Log::Level::quiet);
    evaluate_views(c, meshes::bounding_box(mesh), problem, solution, {}, {}, options, *backend,
                   log);
    ASSERT_EQ(log.warnings().size(), order == 0 ? 0u : 1u);
    if (order > 0) {
      EXPECT_TRUE(testing::says(log.warnings()[0], "sums at probes and streamlines err by "));
    }
  }
}

}  // namespace
}  // namespace rankine::cases
