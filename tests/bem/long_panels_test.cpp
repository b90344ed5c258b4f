// Long panels: rules on strips, balls of near targets, and what quadrature leaves of the layers on
// graded and anisotropic meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/layers/shared_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_counts.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

TrianglePatch<double> flat(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return {{a, b, c}, {}};
}

/// A needle, a right one, one whose apex is over the middle of its base and one with equal edges.
std::vector<TrianglePatch<double>> triangles() {
  return {flat({0, 0, 0}, {1, 1e-3, 0}, {1, -1e-3, 0}), flat({0, 1e-6, 0}, {0, 0, 0}, {1, 0, 0}),
          flat({-0.4, 0, 0.1}, {0.6, 0, 0}, {0, 0.01, 0}),
          flat({0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0})};
}

/// Mean of x^i by the 12-point rule, of degree 6.
double mean_of_power(const TrianglePatch<double>& triangle, int i) {
  double sum = 0.0;
  for (const TrianglePoint& p : triangle_rule(12))
    sum += p.weight * std::pow(triangle.point(p.a, p.b, p.c).x, i);
  return sum;
}

TEST(Strips, IntegratePolynomialsAlongTheTriangle) {
  // Weights grow like u, which takes one degree: q points integrate the powers up to 2 q - 2
  // exactly along a strip; across it they are no higher than one point's where the strip is narrow.
  for (const TrianglePatch<double>& triangle : triangles()) {
    const double area = norm(triangle.vector_area(1.0 / 3, 1.0 / 3, 1.0 / 3));
    const Wedges wedges = wedges_of(triangle);
    for (const StripRule rule : {StripRule{1, 1}, {2, 2}, {3, 3}, {4, 4}}) {
      for (const int count : {1, 3}) {
        std::array<QuadratureNode, 96> nodes;
        QuadratureNode* end = nodes.data();
        for (int w = 0; w < wedges.count; ++w) {
          for (int k = 0; k < count; ++k)
            end = place_on_strip(triangle, wedges.wedge[static_cast<std::size_t>(w)],
                                 {static_cast<double>(k) / count, (k + 1.0) / count}, rule, end);
        }
        EXPECT_EQ(end - nodes.data(), wedges.count * count * rule.nodes());
        for (int power = 0; power <= 2 * rule.along - 2; ++power) {
          double sum = 0.0;
          for (const QuadratureNode* node = nodes.data(); node < end; ++node)
            sum += node->weight / area * std::pow(node->point.x, power);
          EXPECT_NEAR(sum, mean_of_power(triangle, power), 1e-14) << "x^" << power;
        }
      }
    }
  }
}

TEST(Strips, LieInTheirBalls) {
  for (const TrianglePatch<double>& triangle : triangles()) {
    const Wedges wedges = wedges_of(triangle);
    for (int w = 0; w < wedges.count; ++w) {
      const Wedge& wedge = wedges.wedge[static_cast<std::size_t>(w)];
      for (int k = 0; k < 5; ++k) {
        const Strip strip{k / 5.0, (k + 1) / 5.0};
        const StripBall ball = strip_ball(triangle, wedge, strip);
        std::array<QuadratureNode, 16> nodes;
        place_on_strip(triangle, wedge, strip, {4, 4}, nodes.data());
        for (const QuadratureNode& node : nodes)
          EXPECT_LE(norm(node.point - ball.centre), ball.radius);
        // No wider than the edges around it.
        EXPECT_LE(ball.radius,
                  0.5 * std::hypot(0.2 * wedge.length, wedge.width) + 0.5 * wedge.width);
      }
    }
  }
}

TEST(PointCounts, KnowHowManyPointsOfASurfaceAreInABall) {
  // 10^4 points on a square, half of them in a tenth of it: right in the mean where a ball holds
  // enough of them, and nowhere off by more than the ratio of the densities, 11, which may share a
  // cell.
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<Vec3d> points;
  for (int k = 0; k < 10000; ++k)
    points.push_back({(k % 2 == 0 ? 1.0 : 0.1) * uniform(generator), uniform(generator), 0.3});
  const std::vector<double> weights(points.size(), 3.0);
  const PointCounts counts(points, weights);
  double logarithms = 0.0;
  int balls = 0;
  for (int k = 0; k < 200; ++k) {
    const Vec3d centre = points[static_cast<std::size_t>(37 * k)];
    for (const double radius : {0.03, 0.1, 0.2}) {
      double expected = 0.0;
      for (const Vec3d& p : points) expected += norm(p - centre) < radius ? 3.0 : 0.0;
      const double found = counts.in_ball(centre, radius);
      if (expected < 100.0) continue;
      EXPECT_LE(found, 11.0 * expected) << radius;
      EXPECT_GE(found, expected / 11.0) << radius;
      logarithms += std::log(found / expected);
      ++balls;
    }
  }
  EXPECT_NEAR(logarithms / balls, 0.0, std::log(1.5));
  EXPECT_EQ(counts.in_ball({0.5, 0.5, 0.3}, 10.0), 30000.0);
  EXPECT_EQ(counts.in_ball({7.0, 7.0, 7.0}, 0.1), 0.0);
  EXPECT_EQ(PointCounts().in_ball({0, 0, 0}, 1.0), 0.0);
}

TEST(Neighbours, FindASourceOfSeveralBallsOnce) {
  std::mt19937 generator(11);
  NearBalls balls;
  AlignedVector<Vec3d>& centre = balls.centre.changed();
  std::vector<Vec3d> targets;
  for (int j = 0; j < 300; ++j) {
    const Vec3d from = testing::random_point(generator, 1.0);
    const Vec3d step = testing::random_point(generator, 0.1);
    for (int k = 0; k < 1 + j % 7; ++k) {
      centre.push_back(from + static_cast<double>(k) * step);
      balls.radius.changed().push_back(0.02 + 0.2 * ((j + k) % 5));
    }
    balls.first.changed().push_back(static_cast<std::int32_t>(centre.size()));
    targets.push_back(testing::random_point(generator, 1.2));
  }
  SparsityPattern found = find_near_pairs(targets, balls);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::vector<std::int32_t> expected;
    for (std::size_t j = 0; j + 1 < balls.first.size(); ++j) {
      bool near = false;
      for (auto k = static_cast<std::size_t>(balls.first[j]);
           k < static_cast<std::size_t>(balls.first[j + 1]); ++k)
        near = near || norm(targets[i] - balls.centre[k]) < balls.radius[k];
      if (near) expected.push_back(static_cast<std::int32_t>(j));
    }
    const auto begin = found.columns.begin() + found.offsets[i],
               end = found.columns.begin() + found.offsets[i + 1];
    std::sort(begin, end);
    EXPECT_EQ(std::vector<std::int32_t>(begin, end), expected) << i;
  }
}

constexpr IntegralSet single_and_double{.single = true, .dbl = true};

/// Integrals over all panels at every `step`-th collocation point, point by point.
std::vector<PanelIntegrals<double>> exact_integrals(const Panels& panels, std::size_t step) {
  std::vector<PanelIntegrals<double>> found;
  for (std::size_t i = 0; i < panels.size(); i += step) {
    for (std::size_t j = 0; j < panels.size(); ++j)
      found.push_back(
          integrate_panel<single_and_double>(panels.shape[j], panels.centroid[i], i == j));
  }
  return found;
}

/// What quadrature leaves of D 1 and of S and D of a varying density, relative, in the mean square
/// over the area: far nodes against closed forms, for the panels that are not near.
struct QuadratureErrors {
  double unit_double = 0.0, single = 0.0, dbl = 0.0;
};

QuadratureErrors quadrature_errors(const Panels& panels, const PanelNodes& d, std::size_t step,
                                   const std::vector<PanelIntegrals<double>>& integrals) {
  const SparsityPattern near = find_near_pairs(panels.centroid, d.balls);
  const AlignedVector<Vec3d>&points = d.points.on_host(), &normals = d.normals.on_host();
  const AlignedVector<double>& weights = d.weights.on_host();
  std::array<double, 3> error2{}, size2{};
  for (std::size_t i = 0; i < panels.size(); i += step) {
    std::vector<bool> is_near(panels.size(), false);
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k)
      is_near[static_cast<std::size_t>(near.columns[static_cast<std::size_t>(k)])] = true;
    const Vec3d& x = panels.centroid[i];
    std::array<double, 3> error{}, value{};
    for (std::size_t j = 0; j < panels.size(); ++j) {
      const PanelIntegrals<double>& exact = integrals[i / step * panels.size() + j];
      PanelIntegrals<double> nodes;
      for (std::size_t k = d.begin(j); k < d.end(j); ++k)
        add_point<single_and_double>(x - points[k], normals[k], weights[k], nodes);
      const Vec3d& y = panels.centroid[j];
      const double density = 1.0 + y.x - 2.0 * y.y;
      const double left = is_near[j] ? 0.0 : 1.0;
      error[0] += left * (nodes.dbl - exact.dbl);
      error[1] += left * density * (nodes.single - exact.single);
      error[2] += left * density * (nodes.dbl - exact.dbl);
      value[1] += density * exact.single;
      value[2] += density * exact.dbl;
    }
    value[0] = 2.0 * std::numbers::pi;
    for (std::size_t k = 0; k < 3; ++k) {
      error2[k] += panels.area[i] * error[k] * error[k];
      size2[k] += panels.area[i] * value[k] * value[k];
    }
  }
  const auto relative = [&](std::size_t k) { return std::sqrt(error2[k] / size2[k]); };
  return {relative(0), relative(1), relative(2)};
}

struct LongBody {
  const char* name;
  meshes::SurfaceMesh mesh;
  std::vector<PanelGeometry> kinds;
};

std::vector<LongBody> long_bodies() {
  // Closed forms on curved panels, against which the nodes are held here, are of second order in
  // slopes, which are steep where a long edge bulges by more than a panel is wide.
  const std::vector<PanelGeometry> both{PanelGeometry::flat, PanelGeometry::curved};
  return {
      {"spheroid 1:64 of panels 1:1000", testing::lathe(8, 250, {1, 1, 64}), {PanelGeometry::flat}},
      {"disc 1:1:0.05 of panels 1:100",
       testing::lathe(250, 10, {1, 1, 0.05}),
       {PanelGeometry::flat}},
      {"wing of panels that span it", testing::wing_of_spans(500), both},
      {"sphere graded 1000:1", testing::dilated_sphere(5120, 31.6), both}};
}

TEST(PanelNodes, KeepTheToleranceOnLongAndGradedPanels) {
  for (const LongBody& body : long_bodies()) {
    for (const PanelGeometry kind : body.kinds) {
      const Panels panels = make_panels(body.mesh, kind);
      constexpr std::size_t step = 41;
      const std::vector<PanelIntegrals<double>> integrals = exact_integrals(panels, step);
      for (const double tolerance : {0.0, 1e-4}) {
        PanelNodes d = place_nodes(panels, {tolerance});
        for (const bool shared : {false, true}) {
          if (shared) share_nodes(d);
          const QuadratureErrors errors = quadrature_errors(panels, d, step, integrals);
          EXPECT_LE(errors.unit_double, d.tolerance) << body.name << ", D 1";
          EXPECT_LE(errors.single, d.tolerance) << body.name << ", S";
          EXPECT_LE(errors.dbl, 2.0 * d.tolerance) << body.name << ", D";
        }
      }
    }
  }
}

double entries_per_panel(const Panels& panels, const PanelNodes& d) {
  return static_cast<double>(find_near_pairs(panels.centroid, d.balls).columns.size()) /
         static_cast<double>(panels.size());
}

TEST(PanelNodes, LongPanelsHaveFewNearEntriesAndNodes) {
  // By their longest edges alone all panels of the wing would be near all others.
  const Panels panels = make_panels(testing::wing_of_spans(2000), PanelGeometry::flat);
  const PanelNodes d = place_nodes(panels);
  EXPECT_LE(entries_per_panel(panels, d), 0.1 * static_cast<double>(panels.size()));
  EXPECT_LE(d.per_panel(), 64.0);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    double weight = 0.0;
    for (std::size_t k = d.begin(j); k < d.end(j); ++k) weight += d.weights.on_host()[k];
    EXPECT_NEAR(weight, panels.area[j], 1e-12 * panels.area[j]);
    EXPECT_LE(d.end(j) - d.begin(j), static_cast<std::size_t>(most_far_nodes));
  }
}

TEST(PanelNodes, OneLongPanelIsItsOwnAffair) {
  // A needle beside a sphere of regular panels: they keep their nodes and their balls.
  const meshes::SurfaceMesh sphere = meshes::make_sphere(1280);
  meshes::SurfaceMesh needle;
  needle.nodes = {{1.5, -3, 0}, {1.5, 3, 1e-4}, {1.5, 3, -1e-4}};
  testing::add_triangle(needle, 0, 1, 2);
  const meshes::SurfaceMesh both = testing::joined(sphere, needle);
  const QuadratureOptions options{1e-4};
  const Panels alone = make_panels(sphere, PanelGeometry::flat),
               with = make_panels(both, PanelGeometry::flat);
  const PanelNodes before = place_nodes(alone, options), after = place_nodes(with, options);
  for (std::size_t j = 0; j < alone.size(); ++j) {
    ASSERT_EQ(after.end(j), before.end(j));
    ASSERT_EQ(after.balls.first[j + 1], before.balls.first[j + 1]);
    // The area of both is 5e-5 larger than that of the sphere, and L with it.
    EXPECT_NEAR(after.balls.radius[j], before.balls.radius[j], 1e-4 * before.balls.radius[j]);
  }
  EXPECT_LE(after.end(alone.size()) - after.begin(alone.size()),
            static_cast<std::size_t>(most_far_nodes));
}

}  // namespace
}  // namespace rankine::bem
