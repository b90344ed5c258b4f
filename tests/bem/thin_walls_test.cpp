// Flow past walls without thickness: doublet sheets against the exact flows of plates [L32 sec.
// 102, 108], what the operator is made of, and what is refused.
#include "rankine/bem/flow/thin_walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/layers/doublet_sheet.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

meshes::SurfaceMesh triangles(meshes::SurfaceMesh mesh) {
  meshes::cut_quadrilaterals(mesh);
  return mesh;
}

FlowProblem walls(const meshes::SurfaceMesh& mesh, const Vec3d& stream = {0.0, 0.0, 1.0}) {
  FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::flat), .stream = stream};
  problem.thin.assign(problem.panels.size(), 1);
  return problem;
}

FlowOptions by_doublets() {
  FlowOptions options;
  options.formulation = Formulation::doublet;
  return options;
}

meshes::SurfaceMesh disc(int panels) { return triangles(meshes::make_disc(panels, 1.0, {}, 3.0)); }

/// The matrix of a wall about the origin.
AddedMass matrix_of(const meshes::SurfaceMesh& mesh) {
  const FlowProblem problem = walls(mesh);
  const RigidBodies one{std::vector<std::int32_t>(problem.panels.size(), 0), {Vec3d{}}};
  const AddedMass found = added_mass(problem, one, {}, by_doublets(), *make_cpu_backend());
  EXPECT_TRUE(found.converged());
  return found;
}

/// Potential of the unit disc in the stream z, less the stream's, in oblate coordinates [L32 sec.
/// 108].
double of_disc(const Vec3d& x) {
  const double s = x.x * x.x + x.y * x.y + x.z * x.z - 1.0, root = std::hypot(s, 2.0 * x.z);
  const double zeta = std::sqrt(s > 0.0 ? 0.5 * (s + root) : 2.0 * x.z * x.z / (root - s));
  return 2.0 / pi * x.z / zeta * (1.0 - zeta * std::atan2(1.0, zeta));
}

TEST(ThinWalls, HaveTheAddedMassOfDiscAndEllipticPlate) {
  // Second order on graded panels, of which polygons for circles are a part.
  const AddedMass coarse = matrix_of(disc(300)), fine = matrix_of(disc(1200));
  EXPECT_NEAR(fine(2, 2), 8.0 / 3.0, 1e-3 * 8.0 / 3.0);
  const auto rotation_error = [](const AddedMass& m) {
    return std::abs(m(3, 3) * 45.0 / 16.0 - 1.0);
  };
  EXPECT_LE(rotation_error(fine), 6e-3);
  EXPECT_GE(testing::order(rotation_error(coarse), rotation_error(fine)), 1.7);
  EXPECT_LE(fine.asymmetry, 1e-6);
  for (const int k : {0, 1, 5}) EXPECT_EQ(fine(k, k), 0.0);  // along itself

  meshes::SurfaceMesh ellipse = disc(1200);
  for (Vec3d& x : ellipse.nodes) x.y *= 0.5;
  const double exact = 4.0 * pi / 3.0 * 0.25 / std::comp_ellint_2(std::sqrt(0.75));
  EXPECT_NEAR(matrix_of(ellipse)(2, 2), exact, 2e-3 * exact);
}

TEST(ThinWalls, ConvergeOnTrianglesWithoutAPattern) {
  // Collocated constant doublets do not. The rim leaves a first order where panels are all alike.
  std::mt19937 generator(3);
  const auto error = [&](int panels) {
    meshes::SurfaceMesh mesh = triangles(meshes::make_disc(panels, 1.0));
    const double size = std::sqrt(pi / static_cast<double>(mesh.elements.size()));
    for (Vec3d& x : mesh.nodes) {
      const Vec3d by = testing::random_point(generator, 0.25 * size);
      if (std::hypot(x.x, x.y) < 0.99) x += Vec3d{by.x, by.y, 0.0};
    }
    return 1.0 - matrix_of(mesh)(2, 2) * 3.0 / 8.0;
  };
  const double coarse = error(300), fine = error(1200);
  EXPECT_LE(fine, 2e-2);
  EXPECT_GE(testing::order(coarse, fine), 0.9);
}

TEST(ThinWalls, HaveTheFlowOfADiscOnBothSides) {
  const FlowProblem problem = walls(disc(1200), {0.3, 0.0, 1.0});
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, by_doublets(), *backend);
  ASSERT_TRUE(solution.converged());
  double error2 = 0.0, size2 = 0.0, slip2 = 0.0, speed2 = 0.0;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const Vec3d& x = problem.panels.centroid[i];
    const double rim = std::sqrt(1.0 - x.x * x.x - x.y * x.y), area = problem.panels.area[i];
    error2 += area * std::pow(solution.phi[i] - 4.0 / pi * rim, 2);
    size2 += area * std::pow(4.0 / pi * rim, 2);
    EXPECT_NEAR(dot(solution.velocity[i], problem.panels.normal[i]), 0.0, 1e-12 * 30.0);
    if (rim < 0.3) continue;
    const Vec3d half = -2.0 / pi / rim * Vec3d{x.x, x.y, 0.0}, along{0.3, 0.0, 0.0};
    for (const Vec3d& off :
         {solution.velocity[i] - along - half, solution.velocity_behind[i] - along + half})
      slip2 += area * dot(off, off);
    speed2 += 2.0 * area * dot(along + half, along + half);
    const double pressure = -2.0 * dot(along, half);  // of the front less that behind
    EXPECT_NEAR(solution.pressure[i], pressure, 0.1);
  }
  EXPECT_LE(std::sqrt(error2 / size2), 2e-3);
  EXPECT_LE(std::sqrt(slip2 / speed2), 2e-2);

  std::vector<Vec3d> points;
  for (const double rho : {0.05, 0.4, 0.8, 1.3}) {
    for (const double z : {2.0, 0.5, 0.2, -0.2, -0.5}) points.push_back({0.6 * rho, 0.8 * rho, z});
  }
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  constexpr double step = 1e-5;
  for (std::size_t k = 0; k < points.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(field.inside[k], 0);
    EXPECT_NEAR(field.phi[k], of_disc(points[k]), 2e-3);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3d by{axis == 0 ? step : 0.0, axis == 1 ? step : 0.0, axis == 2 ? step : 0.0};
      const double slope = (of_disc(points[k] + by) - of_disc(points[k] - by)) / (2.0 * step);
      EXPECT_NEAR(field.velocity[k][axis], problem.stream[axis] + slope, 1e-2);
    }
  }
  // Close to the wall velocities along it differ by the slope of the jump from side to side.
  const Vec3d over{0.31, 0.22, 1e-3}, under{0.31, 0.22, -1e-3};
  const Field close =
      evaluate_field(problem, solution, std::vector<Vec3d>{over, under}, {}, *backend);
  const double rim = std::sqrt(1.0 - 0.31 * 0.31 - 0.22 * 0.22);
  EXPECT_NEAR(close.velocity[0].x - close.velocity[1].x, -4.0 / pi * 0.31 / rim, 5e-2);
}

TEST(ThinWalls, OfATubeKeepTheStreamOut) {
  const auto mesh = triangles(meshes::make_tube(400, 1.0, 10.0, {}, 2.0));
  const auto backend = make_cpu_backend();
  const std::vector<Vec3d> points{{0.0, 0.0, 0.0}, {0.3, 0.4, 0.5}, {0.0, 1.5, 0.0}};
  // Along its axis it is not there; across, fluid within is at rest and the flow around that of a
  // cylinder, but for what goes around the ends, 3e-2 there.
  const FlowProblem along = walls(mesh);
  const Field free =
      evaluate_field(along, solve(along, by_doublets(), *backend), points, {}, *backend);
  for (const Vec3d& u : free.velocity) EXPECT_LE(norm(u - along.stream), 1e-9);
  const FlowProblem across = walls(mesh, {1.0, 0.0, 0.0});
  const Field found =
      evaluate_field(across, solve(across, by_doublets(), *backend), points, {}, *backend);
  EXPECT_LE(norm(found.velocity[0]), 2e-2);
  EXPECT_LE(norm(found.velocity[1]), 2e-2);
  EXPECT_NEAR(found.velocity[2].x, 1.0 + 1.0 / 2.25, 5e-2);
}

TEST(ThinWalls, TakeFlowThroughThem) {
  // With the stream's own flux through it a wall does nothing.
  FlowProblem problem = walls(disc(300), {0.2, -0.4, 0.7});
  problem.normal_velocity.assign(problem.panels.size(), 0.7);
  const Solution solution = solve(problem, by_doublets(), *make_cpu_backend());
  for (const Vec3d& u : solution.velocity) EXPECT_LE(norm(u - problem.stream), 1e-9);
}

// The potential printed of a wall is the jump across it, to which given sources add nothing.
TEST(ThinWalls, HaveAJumpOfPotentialBesideSources) {
  FlowProblem problem = walls(disc(300));
  problem.onset.sources = {{{0.2, -0.3, 1.5}, 2.0}};
  const Solution solution = solve(problem, by_doublets(), *make_cpu_backend());
  EXPECT_EQ(disturbance_potential(problem, solution), solution.phi);
}

// Panels of all sizes side by side: what is near for one of a pair is so for both, with one
// integral.
TEST(PanelMeans, AreSymmetricOnGradedTriangles) {
  const Panels panels = make_panels(disc(300), PanelGeometry::flat);
  const SparseRows near = PanelMeans(panels).near_means();
  const SparsityPattern& pattern = *near.pattern;
  for (std::size_t row = 0; row < near.rows(); ++row) {
    for (std::int64_t k = pattern.offsets[row]; k < pattern.offsets[row + 1]; ++k) {
      const auto column = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(k)]);
      const auto begin = pattern.columns.begin() + pattern.offsets[column],
                 end = pattern.columns.begin() + pattern.offsets[column + 1];
      const auto found = std::find(begin, end, static_cast<std::int32_t>(row));
      ASSERT_NE(found, end) << row << " " << column;
      const double value = near.values[static_cast<std::size_t>(k)],
                   turned = near.values[static_cast<std::size_t>(found - pattern.columns.begin())];
      EXPECT_NEAR(value, turned, 4.0 * pi * 1e-12 * panels.area[row]) << row << " " << column;
    }
  }
}

TEST(PanelMeans, AreDoubleIntegralsOverPairsOfTriangles) {
  const Panels panels =
      make_panels(triangles(meshes::make_plate(8, 1.0, 0.3)), PanelGeometry::flat);
  const SparseRows near = PanelMeans(panels).near_means();
  const PanelMeans means(panels);
  const PanelNodes& nodes = means.nodes();
  const auto halved = [](const TrianglePatch<double>& t, int k) -> TrianglePatch<double> {
    const Vec3d middle[3] = {0.5 * (t.corner[0] + t.corner[1]), 0.5 * (t.corner[1] + t.corner[2]),
                             0.5 * (t.corner[2] + t.corner[0])};
    if (k == 3) return {{middle[0], middle[1], middle[2]}, {}};
    return {{t.corner[k], middle[k], middle[(k + 2) % 3]}, {}};
  };
  for (std::size_t row = 0; row < near.rows(); ++row) {
    for (std::int64_t k = near.pattern->offsets[row]; k < near.pattern->offsets[row + 1]; ++k) {
      const auto column =
          static_cast<std::size_t>(near.pattern->columns[static_cast<std::size_t>(k)]);
      double exact = 0.0;  // closed forms at 12 points of each of 256 parts
      std::vector<TrianglePatch<double>> parts{triangle_of(panels.shape[row], 0)}, finer;
      for (int level = 0; level < 4; ++level, std::swap(parts, finer)) {
        finer.clear();
        for (const auto& part : parts) {
          for (int quarter = 0; quarter < 4; ++quarter) finer.push_back(halved(part, quarter));
        }
      }
      for (const auto& part : parts) {
        for (const TrianglePoint& p : triangle_rule(12))
          exact += panels.area[row] / 256.0 * p.weight *
                   integrate_panel<IntegralSet{.single = true}>(panels.shape[column],
                                                                part.point(p.a, p.b, p.c))
                       .single;
      }
      double found = near.values[static_cast<std::size_t>(k)];
      for (std::size_t n = nodes.begin(row); n < nodes.end(row); ++n) {
        for (std::size_t m = nodes.begin(column); m < nodes.end(column); ++m) {
          const double distance = norm(nodes.points.on_host()[n] - nodes.points.on_host()[m]);
          if (distance > 0.0)
            found += nodes.weights.on_host()[n] * nodes.weights.on_host()[m] / distance;
        }
      }
      EXPECT_NEAR(found, exact, (row == column ? 3e-5 : 5e-3) * exact) << row << " " << column;
    }
  }
}

TEST(ThinWalls, AreRefusedWithTheReason) {
  const auto backend = make_cpu_backend();
  const auto solve_it = [&](const FlowProblem& problem) {
    solve(problem, by_doublets(), *backend);
  };
  const auto sheet_of = [](const meshes::SurfaceMesh& mesh) {
    const Panels panels = make_panels(mesh, PanelGeometry::flat);
    DoubletSheet sheet(panels);
  };
  using testing::message_of;
  using testing::says;
  EXPECT_TRUE(
      says(message_of<Error>([&] { sheet_of(meshes::make_plate(8, 1.0, 1.0)); }), "cut it in two"));
  EXPECT_TRUE(
      says(message_of<Error>([&] { sheet_of(meshes::make_sphere(80)); }), "leave out thin"));
  EXPECT_TRUE(says(message_of<Error>([&] { sheet_of(triangles(meshes::make_plate(1, 1.0, 1.0))); }),
                   "use smaller panels"));
  meshes::SurfaceMesh turned = disc(300);
  std::swap(turned.elements[40][1], turned.elements[40][2]);
  EXPECT_TRUE(says(message_of<Error>([&] { sheet_of(turned); }), "orient the mesh"));
  meshes::SurfaceMesh three = disc(300);
  three.nodes.push_back({0.0, 0.0, 1.0});
  three.elements.push_back({three.elements[0][0], three.elements[0][1],
                            static_cast<std::int32_t>(three.nodes.size() - 1), -1});
  three.patch.push_back(0);
  EXPECT_TRUE(says(message_of<Error>([&] { sheet_of(three); }), "meet in threes"));

  FlowProblem beside = walls(disc(300));
  beside.thin.back() = 0;
  EXPECT_TRUE(says(message_of<Error>([&] { solve_it(beside); }), "bodies beside them"));
  FlowProblem body{.panels = make_panels(meshes::make_sphere(80)), .stream = {1.0, 0.0, 0.0}};
  EXPECT_TRUE(says(message_of<Error>([&] { solve_it(body); }), "bodies beside them"));
  FlowOptions blocks = by_doublets();
  blocks.preconditioner = Preconditioner::block;
  EXPECT_TRUE(says(message_of<Error>([&] { solve(walls(disc(300)), blocks, *backend); }),
                   "leave out the preconditioner"));
  FlowOptions green;
  EXPECT_TRUE(
      says(message_of<Error>([&] { solve(walls(disc(300)), green, *backend); }), "doublet"));
}

}  // namespace
}  // namespace rankine::bem
