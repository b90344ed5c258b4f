// Panels of meshes: measures, quadrature and its nodes, refusals.
#include "rankine/bem/panels/panels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

TEST(Panels, MeasureABox) {
  const Panels panels = make_panels(meshes::make_box(600, {1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}));
  EXPECT_NEAR(enclosed_volume(panels), 6.0, 1e-11);
  EXPECT_NEAR(total_area(panels), 22.0, 1e-12);
}

TEST(Panels, VolumeOfWarpedQuadrilateralsConverges) {
  // An inscribed polyhedron misses O(h^2) of the volume.
  const auto error = [](std::int64_t count) {
    return 4.0 * std::numbers::pi / 3.0 -
           enclosed_volume(make_panels(testing::cubed_sphere(count), PanelGeometry::flat));
  };
  const double coarse = error(216), fine = error(864);
  EXPECT_GT(fine, 0.0);
  EXPECT_NEAR(testing::order(coarse, fine), 2.0, 0.1);
}

TEST(Panels, CollocationPointsLieOnOneTriangle) {
  const Panels panels = make_panels(testing::cubed_sphere(96), PanelGeometry::flat);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto& c = panels.shape[i].corner;
    EXPECT_LE(norm(c[2] - c[0]), norm(c[3] - c[1]));
    const Vec3d n1 = normalized(cross(c[1] - c[0], c[2] - c[0])),
                n2 = normalized(cross(c[2] - c[0], c[3] - c[0]));
    const double first = dot(n1, panels.centroid[i] - c[0]),
                 second = dot(n2, panels.centroid[i] - c[0]);
    EXPECT_NEAR(std::min(std::abs(first), std::abs(second)), 0.0, 1e-15);
    EXPECT_NEAR(norm(panels.normal[i]), 1.0, 1e-14);
  }
}

TEST(Panels, CollocationPointsStandOffTheDiagonal) {
  // The area centroid of a parallelogram lies on its diagonal; the point lies 1e-4 of the width off
  // it.
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_box(150, {1.0, 2.0, 0.5}), testing::cubed_sphere(150)}) {
    const Panels panels = make_panels(mesh, PanelGeometry::flat);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const auto& c = panels.shape[i].corner;
      const Vec3d diagonal = normalized(c[2] - c[0]);
      const auto off = [&](const Vec3d& x) {
        const Vec3d r = x - c[0];
        return r - dot(r, diagonal) * diagonal;
      };
      const Vec3d first = off((c[0] + c[1] + c[2]) / 3.0), second = off((c[0] + c[2] + c[3]) / 3.0);
      // The first, where they differ by no more than rounding.
      const Vec3d larger = (1.0 + 1e-12) * norm(cross(c[1] - c[0], c[2] - c[0])) >=
                                   norm(cross(c[2] - c[0], c[3] - c[0]))
                               ? first
                               : second;
      const double depth = dot(off(panels.centroid[i]), normalized(larger));
      EXPECT_GE(depth, 0.999e-4 * norm(larger)) << i;
      EXPECT_LE(depth, 0.5 * norm(larger)) << i;
    }
  }
}

TEST(Panels, RefuseBadElementsByNumber) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(20);
  const auto message = [](const meshes::SurfaceMesh& bad) {
    return testing::answer_of<MeshError>([&] { make_panels(bad); });
  };
  meshes::SurfaceMesh bad = mesh;
  bad.elements[7][1] = 99;
  EXPECT_TRUE(testing::says(message(bad), "element 7"));
  bad = mesh;
  bad.elements[5][1] = bad.elements[5][0];
  EXPECT_TRUE(testing::says(message(bad), "element 5"));
  bad = mesh;
  bad.nodes[mesh.elements[0][0]].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(testing::says(message(bad), "not finite"));
}

double factorial(int n) { return std::tgamma(n + 1.0); }

/// Mean of b^i c^j over a triangle: 2 i! j! / (i + j + 2)!.
double exact_mean(int i, int j) { return 2.0 * factorial(i) * factorial(j) / factorial(i + j + 2); }

TEST(Quadrature, TriangleRulesHaveTheirDegree) {
  for (const auto& [points, degree] : {std::pair{1, 1}, {3, 2}, {6, 4}, {7, 5}, {12, 6}}) {
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; i + j <= degree; ++j) {
        double sum = 0.0;
        for (const TrianglePoint& p : triangle_rule(points))
          sum += p.weight * std::pow(p.b, i) * std::pow(p.c, j);
        EXPECT_NEAR(sum, exact_mean(i, j), 1e-14) << points << " points, b^" << i << " c^" << j;
      }
    }
    for (const TrianglePoint& p : triangle_rule(points)) {
      EXPECT_GT(p.weight, 0.0);
      EXPECT_GT(std::min({p.a, p.b, p.c}), 0.0);
      EXPECT_NEAR(p.a + p.b + p.c, 1.0, 1e-15);
    }
  }
}

TEST(Quadrature, FarNodesIntegratePolynomialsOnCollocatedPanels) {
  // The unit right triangle and square, where means of x^i y^j are known.
  const PanelShape<double> triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {}}, 3};
  const PanelShape<double> square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 4};
  for (const auto& [rule, degree] :
       {std::pair{FarRule::centroid, 1}, {FarRule::quadratic, 2}, {FarRule::quartic, 4}}) {
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; i + j <= degree; ++j) {
        const auto mean = [&](const PanelShape<double>& panel, const Vec3d& middle, double area) {
          double sum = 0.0;
          place_far_nodes(far_node_rules(), rule, panel, middle, [&](const QuadratureNode& node) {
            sum += node.weight * std::pow(node.point.x, i) * std::pow(node.point.y, j) / area;
          });
          return sum;
        };
        EXPECT_NEAR(mean(triangle, {1.0 / 3, 1.0 / 3, 0}, 0.5), exact_mean(i, j), 1e-14);
        EXPECT_NEAR(mean(square, {0.5, 0.5, 0}, 1.0), 1.0 / ((i + 1) * (j + 1)), 1e-14);
      }
    }
  }
}

TEST(Quadrature, NodesOfWarpedQuadrilateralsLieOnTheSurface) {
  const Panels panels = make_panels(testing::cubed_sphere(54), PanelGeometry::flat);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto& c = panels.shape[i].corner;
    const Vec3d n1 = normalized(cross(c[1] - c[0], c[2] - c[0])),
                n2 = normalized(cross(c[2] - c[0], c[3] - c[0]));
    double sum = 0.0;
    place_far_nodes(far_node_rules(), FarRule::quadratic, panels.shape[i], panels.centroid[i],
                    [&](const QuadratureNode& node) {
                      const double off = std::min(std::abs(dot(n1, node.point - c[0])),
                                                  std::abs(dot(n2, node.point - c[0])));
                      EXPECT_NEAR(off, 0.0, 1e-15);
                      sum += node.weight;
                    });
    EXPECT_NEAR(sum, panels.area[i], 1e-15);
  }
}

TEST(PanelNodes, RadiusFollowsToleranceAndSize) {
  const Panels panels = make_panels(testing::graded_sphere(2000));
  double previous = 0.0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const PanelNodes d = place_nodes(panels, {tolerance});
    EXPECT_EQ(d.points.size(), d.end(panels.size() - 1));
    double cost = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      // Touching panels, at most two radii apart, are near at any tolerance.
      const auto ball = static_cast<std::size_t>(d.balls.first[j]);
      EXPECT_GE(d.balls.radius[ball], 2.0 * panels.radius[j]);
      cost += d.balls.radius[ball] / panels.radius[j] * static_cast<double>(d.end(j) - d.begin(j));
    }
    EXPECT_GE(cost, previous);
    previous = cost;
  }
  EXPECT_THROW(place_nodes(panels, {-1.0}), InputError);
}

TEST(PanelNodes, BallsReachAsFarAsTheToleranceAsks) {
  // Six nodes leave an error like (l/a)^5: a 32nd of it takes balls twice as large.
  const Panels panels = make_panels(meshes::make_sphere(5120));
  constexpr double tolerance = 3e-8;
  const PanelNodes d = place_nodes(panels, {tolerance}),
                   further = place_nodes(panels, {tolerance / 32.0});
  EXPECT_LE(d.error_estimate, 1.0001 * tolerance);
  EXPECT_LE(further.error_estimate, 1.0001 * tolerance / 32.0);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    ASSERT_EQ(d.end(j) - d.begin(j), 6U);
    ASSERT_GT(d.balls.radius[j], 1.5001 * panel_size(panels.radius[j]));
    ASSERT_NEAR(further.balls.radius[j], 2.0 * d.balls.radius[j], 1e-12 * d.balls.radius[j]);
  }
}

/// The wall of a prism of 12 sides with edges of 30 degrees: two panels to a side.
TEST(SharpAngle, EdgesAboveItAreNotRounded) {
  constexpr int sides = 12, around = 2 * sides, layers = 4;
  const double side = 2.0 * std::sin(std::numbers::pi / sides), height = 2.0;
  meshes::SurfaceMesh mesh;
  for (int layer = 0; layer <= layers; ++layer) {
    for (int k = 0; k < around; ++k) {
      const auto corner = [&](int c) {
        const double angle = 2.0 * std::numbers::pi * c / sides;
        return Vec3d{std::cos(angle), std::sin(angle), height * layer / layers};
      };
      mesh.nodes.push_back(0.5 * (corner(k / 2) + corner((k + 1) / 2)));
    }
  }
  for (int layer = 0; layer < layers; ++layer) {
    for (int k = 0; k < around; ++k) {
      const int a = layer * around + k, b = layer * around + (k + 1) % around;
      mesh.elements.push_back({a, b, b + around, a + around});
    }
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  const double area = sides * side * height;
  EXPECT_GT(total_area(make_panels(mesh)), 1.001 * area) << "rounded";
  mesh.sharp_angle = 25.0 * std::numbers::pi / 180.0;
  const Panels sharp = make_panels(mesh);
  EXPECT_EQ(sharp.sharp_angle, mesh.sharp_angle) << "fits across edges follow it";
  EXPECT_NEAR(total_area(sharp), area, 1e-12 * area);
  EXPECT_EQ(sharp.curves.curved, 0u);
}

TEST(Quadrature, IsTenTimesAsFineAsTheSumsOrAsTheMeshRequires) {
  const Panels panels = make_panels(meshes::make_sphere(20480));
  const double of_mesh = place_nodes(panels).tolerance;
  RegionOptions options;
  const auto chosen = [&](double of_sums) {
    options.fmm.tolerance = of_sums;
    return place_nodes(panels, quadrature_of({panels}, options)).tolerance;
  };
  EXPECT_EQ(chosen(of_mesh), of_mesh);
  EXPECT_DOUBLE_EQ(chosen(100.0 * of_mesh), 10.0 * of_mesh);
  EXPECT_EQ(chosen(1.0), 1e-3) << "the loosest";
  options.quadrature.tolerance = 0.5 * of_mesh;
  EXPECT_EQ(chosen(1.0), 0.5 * of_mesh) << "given";
}

}  // namespace
}  // namespace rankine::bem
