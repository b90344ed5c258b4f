// An exact lifting flow: a vortex ring of circulation 1 m^2/s inside an annular wing, whose
// trailing edge has the radius of the ring. With the potential cut along the cylinder behind the
// edge, the jump across this wake is 1 everywhere, on a thick body with a curved edge and no wake
// in doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/lift/strip_at_edges.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

/// Chord and radius of the edge are 1 m. Points of a section are spaced as cosines, or with `even`
/// = 1 evenly. Triangles have nodes displaced at random by `jitter` spacings.
struct RingMesh {
  int around, along;
  double even = 0.0, jitter = 0.0;
  bool triangles = false;
  bool strip = false;  ///< cut at one distance from the edge
};

meshes::SurfaceMesh annular_wing(const RingMesh& ring) {
  const meshes::WingSection section = meshes::naca_section("0012");
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> random(-ring.jitter, ring.jitter);
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"wing"};
  for (int j = 0; j < ring.along; ++j) {
    for (int i = 0; i < ring.around; ++i) {
      const double turn = 2.0 * pi * (j + random(generator)) / ring.along;
      double t = 2.0 * (i == 0 ? 0.0 : i + random(generator)) / ring.around;  // 1 at the nose
      const bool outer = t <= 1.0;
      t = outer ? 1.0 - t : t - 1.0;
      const double s = ring.even * t + (1.0 - ring.even) * 0.5 * (1.0 - std::cos(pi * t));
      const meshes::SectionSides sides = section.sides(s);
      const auto& [x, z] = outer ? sides.upper : sides.lower;
      mesh.nodes.push_back({x, (1.0 + z) * std::cos(turn), (1.0 + z) * std::sin(turn)});
    }
  }
  const auto node = [&](int i, int j) { return (j % ring.along) * ring.around + i % ring.around; };
  for (int j = 0; j < ring.along; ++j) {
    for (int i = 0; i < ring.around; ++i) {
      const std::int32_t a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                         d = node(i, j + 1);
      if (ring.triangles) {
        mesh.elements.push_back({a, b, c, -1});
        mesh.elements.push_back({a, c, d, -1});
      } else {
        mesh.elements.push_back({a, b, c, d});
      }
    }
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  return mesh;
}

/// Biot and Savart. The trapezoidal rule converges as exp(-n distance), at 0.06 m to 1e-8.
Vec3d velocity_of_ring(const Vec3d& x) {
  constexpr int n = 300;
  static const std::vector<Vec3d> points = [] {
    std::vector<Vec3d> on_ring;
    for (int k = 0; k < n; ++k)
      on_ring.push_back({0.3, std::cos(2.0 * pi * k / n), std::sin(2.0 * pi * k / n)});
    return on_ring;
  }();
  Vec3d sum{};
  for (const Vec3d& y : points) {
    const Vec3d r = x - y;
    const double square = dot(r, r);
    sum += cross(Vec3d{0.0, -y.z, y.y}, r) / (square * std::sqrt(square));
  }
  return 0.5 / n * sum;
}

struct JumpError {
  double worst, mean;  ///< of the segments
};

JumpError error_of_jump(const RingMesh& ring) {
  FlowProblem problem;
  meshes::SurfaceMesh mesh = annular_wing(ring);
  problem.panels = make_panels(mesh, PanelGeometry::flat);
  if (ring.strip) {
    cut_edge_strip(mesh, problem.panels, find_trailing_edges(problem.panels, Vec3d{1, 0, 0}));
    problem.panels = make_panels(mesh, PanelGeometry::flat);
  }
  const Panels& panels = problem.panels;
  problem.lift = std::make_shared<LiftingEdges>(lifting_edges(problem.panels, {1, 0, 0}));
  problem.has_pressure = false;
  const std::vector<TrianglePoint> rule = triangle_rule(6);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    double through = 0.0;
    for (int half = 0; half + 2 < panels.shape[i].corners; ++half) {
      const TrianglePatch<double> triangle = triangle_of(panels.shape[i], half);
      for (const TrianglePoint& p : rule) {
        through += p.weight * dot(velocity_of_ring(triangle.point(p.a, p.b, p.c)),
                                  triangle.vector_area(p.a, p.b, p.c));
      }
    }
    problem.normal_velocity.push_back(through / panels.area[i]);
  }
  const Solution solution = solve(problem, FlowOptions{}, *make_cpu_backend());
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(problem.lift->segments.size(), static_cast<std::size_t>(ring.along));
  JumpError error{};
  for (std::size_t s = 0; s < solution.sheets.size(); ++s) {
    const Vec3d& at = problem.lift->sources.point[s];
    const auto upper = static_cast<std::size_t>(problem.lift->segments[s].upper);
    const bool outer = dot(panels.normal[upper], Vec3d{0.0, at.y, at.z}) > 0.0;
    const double mine = (outer ? -1.0 : 1.0) * solution.sheets[s] - 1.0;
    error.worst = std::max(error.worst, std::abs(mine));
    error.mean += mine / ring.along;
  }
  return error;
}

/// Errors of 0.6 and 0.1 %.
TEST(RingWing, HasTheJumpOfItsRing) {
  EXPECT_LT(error_of_jump({.around = 40, .along = 48}).worst, 0.01);
  EXPECT_LT(error_of_jump({.around = 80, .along = 48}).worst, 0.003);
}

/// Panels are 260 times longer than deep, and the edge turns by 7.5 degrees at each: the line of a
/// segment passes its neighbours at ten times their depth.
TEST(RingWing, HasItWithLongPanelsAtACurvedEdge) {
  EXPECT_LT(error_of_jump({.around = 160, .along = 48}).worst, 0.002);
}

/// Depths of neighbours differ by up to 2 : 1, and most triangles are more than twice as long as
/// deep. The potential is smooth at the edge, where a wing in a stream has one that grows with
/// another power of the distance; the fit to the latter leaves errors of 0.25 and 0.12 % here.
TEST(RingWing, HasItOnUnstructuredTriangles) {
  RingMesh ring{.around = 40, .along = 64, .even = 0.8, .jitter = 0.2, .triangles = true};
  EXPECT_LT(error_of_jump(ring).worst, 0.004);
  ring.around = 80;
  ring.along = 96;
  const JumpError error = error_of_jump(ring);
  EXPECT_LT(error.worst, 0.002);
  EXPECT_LT(std::abs(error.mean), 0.0015);
}

/// Without the strip the mean is off by 0.12 %.
TEST(RingWing, HasItMoreAccuratelyWithAStripOfEqualDepth) {
  const JumpError error = error_of_jump(
      {.around = 80, .along = 96, .even = 0.8, .jitter = 0.2, .triangles = true, .strip = true});
  EXPECT_LT(error.worst, 0.0015);
  EXPECT_LT(std::abs(error.mean), 0.0006);
}

}  // namespace
}  // namespace rankine::bem
