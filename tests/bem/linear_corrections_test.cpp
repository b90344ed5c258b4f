// Strengths that vary linearly on panels, and what takes their variation out of sums.
#include "rankine/bem/layers/linear_corrections.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

/// The moments of a panel at x, by many points.
PanelMoments summed_moments(const PanelShape<double>& shape, const Vec3d& x, const Vec3d& about) {
  constexpr int cuts = 800;
  PanelMoments sum;
  const TrianglePatch<double> patch = triangle_of(shape, 0);
  for (int i = 0; i < cuts; ++i) {
    for (int j = 0; i + j < cuts; ++j) {
      for (const double up : {1.0 / 3.0, 2.0 / 3.0}) {
        const double b = (i + up) / cuts, c = (j + up) / cuts;
        if (b + c >= 1.0) continue;
        const Vec3d area = patch.vector_area(1.0 - b - c, b, c) / (1.0 * cuts * cuts);
        const double size = norm(area);
        add_node_moment(x, patch.point(1.0 - b - c, b, c), area / size, size, about, sum);
      }
    }
  }
  return sum;
}

/// In the plane of the triangle below.
double distance(const PanelMoments& a, const PanelMoments& b) {
  const Vec3d single = a.single - b.single, dbl = a.dbl - b.dbl;
  return std::hypot(single.x, single.y) + std::hypot(dbl.x, dbl.y);
}

TEST(PanelMoments, AreExactOnFlatTriangles) {
  const PanelShape<double> shape{.corner = {{0, 0, 0}, {1, 0.1, 0}, {0.3, 0.8, 0}}};
  const Vec3d about{0.4, 0.3, 0};
  for (const Vec3d& x : {Vec3d{0.4, 0.3, 0.2}, Vec3d{-0.3, 0.5, 0.1}, Vec3d{1.3, -0.2, -0.3}})
    EXPECT_LE(distance(panel_moments(shape, x, false, about), summed_moments(shape, x, about)),
              1e-6);
}

// Points on the surface that the patch follows, beside it.
TEST(PanelMoments, AreOfSecondOrderInTheSlope) {
  const auto error = [](double slope, double x, double y) {
    const auto on_surface = [&](double u, double v) {
      return Vec3d{u, v, slope * (0.5 * u * u + 0.3 * u * v - 0.2 * v * v)};
    };
    const double corners[3][2] = {{-0.5, -0.4}, {0.6, -0.3}, {-0.1, 0.6}};
    PanelShape<double> shape;
    shape.curved = true;
    for (int k = 0; k < 3; ++k) shape.corner[k] = on_surface(corners[k][0], corners[k][1]);
    for (int k = 0; k < 3; ++k) {
      const double *a = corners[k], *b = corners[(k + 1) % 3];
      shape.bulge[k] = on_surface(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])) -
                       0.5 * (shape.corner[k] + shape.corner[(k + 1) % 3]);
    }
    const Vec3d at = on_surface(x, y), about = on_surface(0, 0);
    return distance(panel_moments(shape, at, false, about), summed_moments(shape, at, about));
  };
  for (const auto& [x, y] : {std::pair{0.9, 0.4}, std::pair{-0.8, 0.3}})
    EXPECT_GE(std::log2(error(0.2, x, y) / error(0.1, x, y)), 1.8);
}

TEST(LinearCorrections, AreNothingWhereStrengthsDoNotVary) {
  for (const auto& mesh : {testing::graded_sphere(320), testing::cubed_sphere(384)}) {
    const Panels panels = make_panels(mesh);
    const CollocatedPanels discretization(panels, {});
    const SparseRows rows = discretization.strengths({}).gradients;
    ASSERT_EQ(rows.rows(), 2 * panels.size());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      double sum = 0.0, size = 0.0;
      for (auto k = static_cast<std::size_t>(rows.pattern->offsets[i]);
           k < static_cast<std::size_t>(rows.pattern->offsets[i + 1]); ++k) {
        sum += rows.values[k];
        size += std::abs(rows.values[k]);
      }
      EXPECT_GT(size, 0.0);
      EXPECT_NEAR(sum, 0.0, 1e-13 * size);
    }
  }
}

TEST(LinearStrengths, AreExactForLinearValuesOnAPlane) {
  const Panels panels = make_panels(meshes::make_box(600, {1.0, 2.0, 3.0}));
  const PanelNodes nodes = place_nodes(panels);
  const SparseRows p = linear_strengths(panels, nodes);
  const auto value = [](const Vec3d& x) { return 1.0 + 2.0 * x.x - 3.0 * x.y + 0.5 * x.z; };
  for (std::size_t node = 0; node < nodes.weights.size(); ++node) {
    double sum = 0.0;
    for (std::int64_t e = p.pattern->offsets[node]; e < p.pattern->offsets[node + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      sum += p.values[entry] *
             value(panels.centroid[static_cast<std::size_t>(p.pattern->columns[entry])]);
    }
    // Points of squares stand 1e-4 of their width beside the mean.
    EXPECT_NEAR(sum / nodes.weights.on_host()[node], value(nodes.points.on_host()[node]), 1e-3);
  }
}

TEST(LinearStrengths, KeepTheMeanOfEveryPanel) {
  const Panels panels = make_panels(testing::graded_sphere(500));
  const PanelNodes nodes = place_nodes(panels);
  const SparseRows p = linear_strengths(panels, nodes);
  std::vector<double> total(panels.size() * panels.size(), 0.0);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    for (std::int64_t e = p.pattern->offsets[nodes.begin(j)]; e < p.pattern->offsets[nodes.end(j)];
         ++e) {
      const auto entry = static_cast<std::size_t>(e);
      total[j * panels.size() + static_cast<std::size_t>(p.pattern->columns[entry])] +=
          p.values[entry];
    }
  }
  for (std::size_t j = 0; j < panels.size(); ++j) {
    double weight = 0.0;
    for (std::size_t k = nodes.begin(j); k < nodes.end(j); ++k)
      weight += nodes.weights.on_host()[k];
    for (std::size_t i = 0; i < panels.size(); ++i) {
      EXPECT_NEAR(total[j * panels.size() + i], i == j ? weight : 0.0, 1e-14);
    }
  }
}

}  // namespace
}  // namespace rankine::bem
