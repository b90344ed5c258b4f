// Folded panels, slivers, and quadrilaterals that cross themselves.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/flaws.hpp"

namespace rankine::meshes {
namespace {

using namespace testing;

/// Moves a node of the unit sphere along it, beyond the panels around it.
void push_over(SurfaceMesh& mesh, std::int32_t node, double panels) {
  const Element& element = mesh.elements[panels_around(mesh, node).front()];
  const std::int32_t next = element[0] == node ? element[1] : element[0];
  const Vec3d way = mesh.nodes[next] - mesh.nodes[node];
  mesh.nodes[node] = normalized(mesh.nodes[node] + panels * way);
}

std::set<std::size_t> turned_over(const SurfaceMesh& mesh) {
  std::set<std::size_t> panels;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (dot(vector_area(mesh, mesh.elements[e]), corner_mean(mesh, mesh.elements[e])) < 0.0)
      panels.insert(e);
  }
  return panels;
}

TEST(Folds, FoldedPanelsAreThoseThatAreTurnedOver) {
  SurfaceMesh mesh = make_sphere(3380);
  for (const std::int32_t node : {100, 400, 700, 1000, 1300, 1600}) push_over(mesh, node, 1.6);
  const std::set<std::size_t> over = turned_over(mesh);
  ASSERT_GE(over.size(), 12u);
  const Inspection inspection = inspect(mesh);
  EXPECT_EQ(marked_panels(inspection, FlawKind::folded), over);
  const Flaw flaw = flaw_of(inspection, FlawKind::folded);
  EXPECT_EQ(flaw.panels.count, over.size());
  EXPECT_EQ(flaw.severity, Severity::refused);
  EXPECT_GT(flaw.worst, 150.0);
  EXPECT_TRUE(says(message_of<MeshError>([&] { require_meaningful(mesh, inspection); }),
                   "folded panels: " + std::to_string(over.size()) + " panels"));
}

TEST(Folds, AFoldInALargeSurfaceIsAWarning) {
  SurfaceMesh mesh = make_sphere(8000);
  push_over(mesh, 1000, 1.2);
  const Flaw flaw = flaw_of(inspect(mesh), FlawKind::folded);
  EXPECT_EQ(flaw.panels.count, turned_over(mesh).size());
  EXPECT_GT(flaw.panels.count, 0u);
  EXPECT_EQ(flaw.severity, Severity::warning);
}

/// The unit cube in 14 triangles. On its upper face a triangle on the diagonal, so many metres
/// high, lies turned over on its neighbour.
SurfaceMesh cube_with_a_fold(double height) {
  SurfaceMesh mesh = make_box(6, {1.0, 1.0, 1.0}, {}, PanelKind::triangles);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element t = mesh.elements[e];
    if (corner_mean(mesh, t).z < 0.49) continue;
    int k = 0;  // the diagonal goes from this corner to the next
    while (norm(mesh.nodes[t[(k + 1) % 3]] - mesh.nodes[t[k]]) < 1.2) ++k;
    const std::int32_t from = t[k], to = t[(k + 1) % 3], top = t[(k + 2) % 3];
    const Vec3d middle = 0.5 * (mesh.nodes[from] + mesh.nodes[to]);
    const auto over = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back(middle - height * normalized(mesh.nodes[top] - middle));
    mesh.elements[e] = {from, to, over, -1};
    mesh.elements.push_back({from, over, top, -1});
    mesh.elements.push_back({over, to, top, -1});
    break;
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  return mesh;
}

/// Folds are refused from a thousandth of the surface on. Slivers that lie turned over are rounding
/// errors of meshers, which spoil the answer in one place only.
TEST(Folds, ASliverThatIsTurnedOverIsAWarning) {
  for (const auto& [height, severity] : {std::pair{0.06, Severity::refused},  // 170 degrees, 0.7 %
                                         std::pair{0.025, Severity::warning}}) {  // 176, 0.3 %
    const Flaw flaw = flaw_of(inspect(cube_with_a_fold(height)), FlawKind::folded);
    EXPECT_EQ(flaw.panels.count, 1u);
    EXPECT_EQ(flaw.severity, severity) << height;
  }
}

/// A cube of 3 x 3 quadrilaterals a side, and the one in the middle of its upper face. `place` is
/// where the last corner of that is moved to, in units of the panel from its first corner on.
std::pair<SurfaceMesh, std::size_t> cube_with_a_moved_corner(double u, double v) {
  SurfaceMesh mesh = cube();
  std::size_t e = 0;
  while (norm(corner_mean(mesh, mesh.elements[e]) - Vec3d{0.0, 0.0, 0.5}) > 0.01) ++e;
  const Element& q = mesh.elements[e];
  const Vec3d first = mesh.nodes[q[0]];
  mesh.nodes[q[3]] = first + u * (mesh.nodes[q[1]] - first) + v * (mesh.nodes[q[3]] - first);
  return {std::move(mesh), e};
}

/// One that crosses itself is folded, also where its area still points outwards; one with a corner
/// that points inwards is not.
TEST(Folds, AQuadrilateralThatCrossesItselfIsFolded) {
  const auto folded = [](double u, double v) {
    const auto [mesh, e] = cube_with_a_moved_corner(u, v);
    return marked_panels(inspect(mesh), FlawKind::folded).contains(e);
  };
  EXPECT_TRUE(folded(1.2, 0.3));
  EXPECT_FALSE(folded(0.7, 0.3));
  EXPECT_FALSE(folded(0.0, 1.0));
}

/// A wide angle makes a triangle a sliver; a quadrilateral with one is a triangle, more or less.
TEST(Folds, AWideAngleOfAQuadrilateralIsNoFlaw) {
  EXPECT_EQ(count_of(cube_with_a_moved_corner(0.49, 0.51).first, FlawKind::sliver),
            0u);  // 178 degrees
  EXPECT_EQ(count_of(cube_with_a_fold(0.025), FlawKind::sliver), 1u);
}

TEST(Folds, ASharpRimIsNotAFold) {
  const Inspection inspection = inspect(make_ellipsoid(1280, {1.0, 1.0, 0.01}));
  EXPECT_EQ(flaw_of(inspection, FlawKind::folded).panels.count, 0u);
  EXPECT_GT(flaw_of(inspection, FlawKind::thin_wall).panels.count, 0u);
  EXPECT_FALSE(inspection.refused());
}

}  // namespace
}  // namespace rankine::meshes
