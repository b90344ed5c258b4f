// The powers of the distance from a sharp edge, their means over panels, and the parts of panels.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/layers/edge_functions.hpp"

namespace rankine::bem {
namespace {

/// The edge along x from 0 to 2, in two pieces, of a plate, a cube and a surface piercing wall.
std::vector<EdgeFunction> functions_of_an_edge() {
  const std::vector<EdgePiece> pieces{{{0, 0, 0}, {1, 0, 0}, 0.5}, {{1, 0, 0}, {2, 0, 0}, 0.5}};
  return {{.pieces = pieces, .exponent = 0.5, .scale = 0.4},
          {.pieces = pieces, .exponent = 2.0 / 3.0, .scale = 2.0},
          {.pieces = pieces, .exponent = 0.999, .scale = 0.4, .linear = 1.0, .divisor = -0.001}};
}

// Pieces are extended by half their length.
TEST(EdgeFunctions, AreOfTheDistanceFromAnEdge) {
  for (const EdgeFunction& f : functions_of_an_edge()) {
    EXPECT_NEAR(f.distance({0.3, 0.3, -0.4}), 0.5 / f.scale, 1e-15);
    EXPECT_NEAR(f.distance({-0.4, 0.3, 0.4}), 0.5 / f.scale, 1e-15);
    EXPECT_NEAR(f.distance({3.1, 0.0, 0.8}), 1.0 / f.scale, 1e-15);
    EXPECT_NEAR(f.distance({-1.1, -0.8, 0.0}), 1.0 / f.scale, 1e-15);
    const double t = 0.5 / f.scale, power = std::pow(t, f.exponent);
    EXPECT_NEAR(f({1.7, 0.3, -0.4}), f.linear == 0.0 ? power : (power - t) / f.divisor, 1e-12);
  }
  // t log t in the limit of the exponent 1, up to half of 1 - a times t log^2 t
  EXPECT_NEAR(functions_of_an_edge()[2]({1.0, 0.8, 0.0}), 2.0 * std::log(2.0), 1e-3);
}

TEST(EdgeFunctions, HaveTheGradientOfTheirDifferences) {
  constexpr double step = 1e-5;
  for (const EdgeFunction& f : functions_of_an_edge()) {
    for (const Vec3d& x : {Vec3d{0.3, 0.2, -0.1}, Vec3d{1.9, 0.7, 0.9}, Vec3d{2.9, 0.4, 0.3}}) {
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d h{};
        h[axis] = step;
        // The third derivative is below 100; rounding of f is 1e-3 larger beside the exponent 1.
        EXPECT_NEAR(f.gradient(x)[axis], (f(x + h) - f(x - h)) / (2.0 * step), 1e-7) << axis;
      }
    }
  }
}

/// The mean of f by many points.
double summed_mean(const EdgeFunction& f, const TrianglePatch<double>& triangle) {
  constexpr int cuts = 200;
  double sum = 0.0;
  for (int i = 0; i < cuts; ++i) {
    for (int j = 0; i + j < cuts; ++j) {
      for (const double up : {1.0 / 3.0, 2.0 / 3.0}) {
        const double b = (i + up) / cuts, c = (j + up) / cuts;
        if (b + c < 1.0) sum += f(triangle.point(1.0 - b - c, b, c));
      }
    }
  }
  return sum / (cuts * cuts);
}

// The distance is linear on these triangles, so means are exact, but for distances that are equal:
// these are set 1e-4 of the largest apart, which changes means by up to 1e-4 t f'(t) / 3, and
// t f' < 4. The first triangle has a side on the edge, where the sum over points errs by a part of
// the width of a row to the power a + 1, 200^-1.5 = 3.5e-4.
TEST(EdgeFunctions, HaveTheirMeansBesideOneEdge) {
  const TrianglePatch<double> triangles[] = {
      {{{0.2, 0.0, 0.0}, {0.9, 0.0, 0.0}, {0.4, 0.0, 0.6}}, {}},
      {{{0.2, 0.1, 0.0}, {0.9, 0.5, 0.0}, {1.4, 0.3, 0.0}}, {}},
      {{{0.2, 0.3, 0.4}, {1.9, 0.3, 0.4}, {1.4, 0.6, 0.8}}, {}}};
  for (const EdgeFunction& f : functions_of_an_edge()) {
    for (const TrianglePatch<double>& each : triangles)
      EXPECT_NEAR(f.mean(each), summed_mean(f, each), 2e-4);
  }
}

/// A quadrilateral on z = 0.3 x^2 - 0.2 x y + 0.1 y^2, whose edges are straight from above.
Vec3d on_paraboloid(double x, double y) { return {x, y, 0.3 * x * x - 0.2 * x * y + 0.1 * y * y}; }

PanelShape<double> curved_panel() {
  const double corners[4][2] = {{0.1, 0.2}, {0.9, 0.3}, {0.8, 1.1}, {0.2, 0.9}};
  const auto middle = [&](int a, int b) {
    return on_paraboloid(0.5 * (corners[a][0] + corners[b][0]),
                         0.5 * (corners[a][1] + corners[b][1]));
  };
  PanelShape<double> shape{.corner = {}, .corners = 4, .curved = true};
  for (int k = 0; k < 4; ++k) shape.corner[k] = on_paraboloid(corners[k][0], corners[k][1]);
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    shape.bulge[k] = middle(k, next) - 0.5 * (shape.corner[k] + shape.corner[next]);
  }
  shape.diagonal_bulge = middle(0, 2) - 0.5 * (shape.corner[0] + shape.corner[2]);
  return shape;
}

TEST(EdgeParts, CoverTheirPanel) {
  const PanelShape<double> shape = curved_panel();
  const std::vector<EdgeFunction> functions = functions_of_an_edge();
  const std::vector<EdgePart> parts =
      edge_parts(shape, std::span(functions).first(most_edge_functions));
  ASSERT_EQ(parts.size(), 32u);
  double seen_from_above = 0.0;
  for (const EdgePart& part : parts) {
    ASSERT_EQ(part.shape.corners, 3);
    ASSERT_TRUE(part.shape.curved);
    const TrianglePatch<double> triangle = triangle_of(part.shape, 0);
    for (const double a : {0.0, 0.3, 1.0}) {
      for (const double b : {0.0, 0.5 * (1.0 - a), 1.0 - a}) {
        const Vec3d x = triangle.point(a, b, 1.0 - a - b);
        EXPECT_NEAR(x.z, on_paraboloid(x.x, x.y).z, 1e-15);
      }
    }
    const Vec3d* const x = part.shape.corner;
    EXPECT_LE(norm(3.0 * part.centre - x[0] - x[1] - x[2]), 1e-15);
    const double area = 0.5 * cross(x[1] - x[0], x[2] - x[0]).z;
    EXPECT_GT(area, 0.0);
    seen_from_above += area;
  }
  const Vec3d* const x = shape.corner;
  EXPECT_NEAR(seen_from_above, 0.5 * cross(x[2] - x[0], x[3] - x[1]).z, 1e-14);
}

TEST(EdgeParts, HaveTheMeansOfTheFunctionsAndTheirDifferencesBetweenCorners) {
  const std::vector<EdgeFunction> functions = functions_of_an_edge();
  const auto first_two = std::span(functions).first(most_edge_functions);
  for (const EdgePart& part : edge_parts(curved_panel(), first_two)) {
    const Vec3d* const x = part.shape.corner;
    const Vec3d n = cross(x[1] - x[0], x[2] - x[0]);
    for (std::size_t b = 0; b < first_two.size(); ++b) {
      EXPECT_EQ(part.means[b], functions[b].mean(triangle_of(part.shape, 0)));
      for (int k = 1; k < 3; ++k)
        EXPECT_NEAR(dot(part.slopes[b], x[k] - x[0]), functions[b](x[k]) - functions[b](x[0]),
                    1e-13);
      EXPECT_NEAR(dot(part.slopes[b], n), 0.0, 1e-13 * norm(n));
    }
  }
}

}  // namespace
}  // namespace rankine::bem
