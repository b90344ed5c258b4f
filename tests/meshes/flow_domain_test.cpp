// Domains of flow solvers are distinguished from bodies, and the warning names what to leave out.
#include "rankine/meshes/checks/flow_domain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/patches.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::meshes {
namespace {

using testing::joined;
using testing::says;
using Names = std::vector<std::string>;

std::optional<FlowDomain> domain_of(SurfaceMesh mesh) {
  const MeshReport report = orient(mesh, Orient::outward).report;
  return find_flow_domain(mesh, report);
}

/// A box with a dent in the middle of its lower face: of size 2 x `half` x `depth`, with square
/// panels `edge` wide. Patches "tank" and "dent".
SurfaceMesh dented_box(double half, double depth) {
  SurfaceMesh mesh = make_box(6 * 40 * 40, {20.0, 20.0, 20.0}, {0.0, 0.0, 10.0});
  mesh.patch_names = {"tank", "dent"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Vec3d x = corner_mean(mesh, mesh.elements[e]);
    if (std::abs(x.x) < half && std::abs(x.y) < half && x.z == 0.0) mesh.patch[e] = 1;
  }
  for (Vec3d& x : mesh.nodes) {
    const double inside = std::max(std::abs(x.x), std::abs(x.y));
    if (x.z == 0.0 && inside < half - 1e-9) x.z = depth;
  }
  return mesh;
}

TEST(FlowDomain, ANeckIsNone) {
  // A column that is a fifth narrower above z = 2: what its hull leaves out is small and within its
  // box, but around it.
  SurfaceMesh mesh = make_box(4000, {2.0, 2.0, 12.0}, {0.0, 0.0, 0.0});
  for (Vec3d& x : mesh.nodes) {
    const double width = std::clamp(1.0 - 0.4 * (x.z - 1.5), 0.8, 1.0);
    x = {width * x.x, width * x.y, x.z};
  }
  EXPECT_FALSE(domain_of(mesh));
}

/// Gives triangle e and the next one at its first edge their other diagonal, a concave edge on a
/// sphere.
void turn_diagonal(SurfaceMesh& mesh, std::ptrdiff_t e) {
  Element& one = *(mesh.elements.begin() + e);
  const auto other =
      std::find_if(mesh.elements.begin() + e + 1, mesh.elements.end(), [&](auto& each) {
        return std::ranges::count(each, one[0]) + std::ranges::count(each, one[1]) == 2;
      });
  if (other == mesh.elements.end()) return;
  const std::int32_t opposite = *std::find_if(
      other->begin(), other->end(), [&](std::int32_t n) { return n != one[0] && n != one[1]; });
  *other = {opposite, one[1], one[2], -1};
  one = {one[0], opposite, one[2], -1};
}

/// All nodes are on the hull.
TEST(FlowDomain, AConcaveEdgeIsNoDent) {
  SurfaceMesh mesh = make_sphere(1280);
  turn_diagonal(mesh, 0);
  EXPECT_EQ(orient(mesh, Orient::outward).report.bodies.size(), 1u);
  EXPECT_FALSE(domain_of(mesh));
}

TEST(FlowDomain, ADentInABoxIsFoundAndTheBoxNamed) {
  const auto found = domain_of(dented_box(2.0, 1.5));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_dent);
  EXPECT_NEAR(found->size, 20.0 * std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(found->inner_size, std::sqrt(16.0 + 16.0 + 2.25), 1e-9);
  EXPECT_NEAR(norm(found->inner_centre - Vec3d{0.0, 0.0, 0.75}), 0.0, 1e-9);
  EXPECT_EQ(found->outer, Names{"tank"});
  SurfaceMesh mesh = dented_box(2.0, 1.5);
  mesh.source = "tank.msh";
  const std::string text = describe(mesh, *found);
  EXPECT_TRUE(says(text, "tank.msh is taken for a body of 34.6 m")) << text;
  EXPECT_TRUE(says(text, "dent of 5.85 m around (0, 0, 0.75) m")) << text;
  EXPECT_TRUE(says(text, "mesh.exclude = [\"tank\"]")) << text;
}

/// Where patches do not tell the two apart, faces of the geometry may.
TEST(FlowDomain, FacesAreNamedWherePatchesAreMixed) {
  SurfaceMesh mesh = dented_box(2.0, 1.5);
  for (const std::int32_t patch : mesh.patch) mesh.face.push_back(patch == 0 ? 7 : 9);
  mesh.patch.assign(mesh.elements.size(), 0);
  mesh.patch_names = {"body"};
  EXPECT_EQ(domain_of(mesh)->outer, Names{"face 7"});
  mesh.face.clear();
  const auto found = domain_of(mesh);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->outer.empty());
  EXPECT_TRUE(says(describe(mesh, *found), "need a name of their own"));
}

TEST(FlowDomain, ABodyInATankIsFound) {
  SurfaceMesh mesh =
      joined(make_sphere(1280, 20.0), make_wing(wing_panels(40, {}), naca_section("0012"), {}));
  mesh.patch_names = {"farfield", "wing"};
  const auto found = domain_of(mesh);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_dent);
  EXPECT_EQ(found->outer, Names{"farfield"});
}

/// Coarse meshes of spheres, of which many edges are concave.
TEST(FlowDomain, ACoarseFarFieldIsFound) {
  SurfaceMesh sphere = make_sphere(1280, 20.0);
  for (std::ptrdiff_t e = 0; e < 1280; e += 16) turn_diagonal(sphere, e);
  EXPECT_FALSE(domain_of(sphere));
  SurfaceMesh mesh = joined(sphere, make_wing(wing_panels(40, {}), naca_section("0012"), {}));
  mesh.patch_names = {"farfield", "wing"};
  const auto found = domain_of(mesh);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_dent);
  EXPECT_EQ(found->outer, Names{"farfield"});
}

/// A cylinder about x, of whose panels hardly any lies in a plane that bounds it: nodes of a box on
/// its side and ends, turned more from end to end, with either diagonal in squares.
SurfaceMesh cylinder(double length, double radius) {
  SurfaceMesh mesh = make_box(2000, {length, 2.0, 2.0}, {}, PanelKind::triangles);
  for (Vec3d& x : mesh.nodes) {
    const double outward = std::max(std::abs(x.y), std::abs(x.z)), angle = std::atan2(x.z, x.y),
                 turn = angle + 0.3 * x.x / length;
    x = {x.x, radius * outward * std::cos(turn), radius * outward * std::sin(turn)};
  }
  return mesh;
}

TEST(FlowDomain, ACylindricalFarFieldIsFound) {
  const SurfaceMesh wing = make_wing(wing_panels(40, {}), naca_section("0012"), {});
  for (const auto& [length, radius] : {std::pair{60.0, 10.0}, {10.0, 20.0}}) {
    SurfaceMesh mesh = joined(cylinder(length, radius), wing);
    EXPECT_FALSE(domain_of(cylinder(length, radius)));
    mesh.patch_names = {"farfield", "wing"};
    const auto found = domain_of(mesh);
    ASSERT_TRUE(found) << length;
    EXPECT_EQ(found->outer, Names{"farfield"});
  }
}

TEST(FlowDomain, BodiesAreNoDomains) {
  EXPECT_FALSE(domain_of(make_sphere(320)));
  EXPECT_FALSE(domain_of(make_box(96, {1.0, 2.0, 3.0})));
  EXPECT_FALSE(domain_of(make_torus(800, 2.0, 0.5)));
  EXPECT_FALSE(domain_of(make_wing(wing_panels(40, {}), naca_section("0012"), {})));
  EXPECT_FALSE(domain_of(joined(make_sphere(320), make_sphere(320, 1.0, {3.0, 0.0, 0.0}))));
  EXPECT_FALSE(domain_of(joined(make_sphere(320, 2.0), make_sphere(320, 1.0)))) << "a thick shell";
  EXPECT_FALSE(domain_of(dented_box(8.0, 1.5))) << "a dent as wide as the body";
  SurfaceMesh rocket = cylinder(20.0, 1.0);
  for (Vec3d& x : rocket.nodes)
    if (x.x < -9.99 && std::hypot(x.y, x.z) < 0.9) x.x += 1.0;
  EXPECT_FALSE(domain_of(rocket)) << "a nozzle";
}

}  // namespace
}  // namespace rankine::meshes
