// Nodes that long panels share: what they keep, what they save, and what quadrature leaves of the
// layers with them.
#include "rankine/bem/layers/shared_nodes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

struct Placed {
  explicit Placed(const meshes::SurfaceMesh& mesh)
      : panels(make_panels(mesh, PanelGeometry::flat)), own(place_nodes(panels)), shared(own) {
    share_nodes(shared);
  }

  Panels panels;
  PanelNodes own, shared;
};

TEST(SharedNodes, KeepTheMomentsOfThoseThatTheyStandFor) {
  const Placed placed(testing::wing_of_spans(500));
  const PanelNodes &own = placed.own, &shared = placed.shared;
  const std::size_t sources = shared.sum_points().size();
  ASSERT_EQ(shared.source.size(), own.points.size());
  EXPECT_LT(5 * sources, 2 * own.points.size());
  const AlignedVector<Vec3d>&own_points = own.points.on_host(),
        &own_normals = own.normals.on_host(), &points = shared.points.on_host(),
        &normals = shared.normals.on_host();
  const AlignedVector<double>&own_weights = own.weights.on_host(),
        &weights = shared.weights.on_host();
  std::vector<double> weight(sources, 0.0);
  std::vector<Vec3d> place(sources), normal(sources);
  for (std::size_t j = 0; j < placed.panels.size(); ++j) {
    const auto ball = static_cast<std::size_t>(own.balls.first[j]);
    for (std::size_t k = own.begin(j); k < own.end(j); ++k) {
      const std::size_t s = shared.source_of(k);
      weight[s] += own_weights[k];
      place[s] += own_weights[k] * own_points[k];
      normal[s] += own_weights[k] * own_normals[k];
      EXPECT_EQ(weights[k], own_weights[k]);
      EXPECT_EQ(points[k], shared.sum_points()[s]);
      EXPECT_EQ(normals[k], shared.sum_normals()[s]);
      // No further than the cells of the panel's widest strips are long along their diagonal.
      double widest = 0.0;
      for (auto b = ball; b < static_cast<std::size_t>(own.balls.first[j + 1]); ++b)
        widest = std::max(widest, own.balls.radius[b]);
      EXPECT_LE(norm(points[k] - own_points[k]),
                std::sqrt(3.0) * shared_width(own.tolerance) * widest);
      EXPECT_GT(dot(normals[k], own_normals[k]), 0.95);
    }
  }
  for (std::size_t s = 0; s < sources; ++s) {
    EXPECT_LE(norm(place[s] - weight[s] * shared.sum_points()[s]), 1e-12 * weight[s]);
    EXPECT_LE(norm(normal[s] - weight[s] * shared.sum_normals()[s]), 1e-12 * weight[s]);
  }
}

TEST(SharedNodes, LeavePanelsThatAreNotLongAlone) {
  for (const meshes::SurfaceMesh& mesh :
       {testing::graded_sphere(320), testing::cubed_sphere(150)}) {
    const Placed placed(mesh);
    EXPECT_TRUE(placed.shared.source.empty());
    EXPECT_EQ(placed.shared.sum_points().data(), placed.shared.points.on_host().data());
  }
}

TEST(SharedNodes, TakeTheStrengthsOfAll) {
  const Placed placed(testing::wing_of_spans(200));
  const SparseRows own = linear_strengths(placed.panels, placed.own),
                   gradients = strength_gradients(placed.panels, constant_if_cut(placed.shared)),
                   rows = strengths_of_sources(placed.panels, placed.shared, gradients);
  ASSERT_EQ(rows.rows(), placed.shared.sum_points().size());
  ASSERT_EQ(rows.columns, own.columns);
  const auto strength = [&](std::int32_t column) { return 1.0 + 0.3 * (column % 17); };
  std::vector<double> expected(rows.rows(), 0.0);
  for (std::size_t k = 0; k < own.rows(); ++k) {
    for (std::int64_t e = own.pattern->offsets[k]; e < own.pattern->offsets[k + 1]; ++e)
      expected[placed.shared.source_of(k)] += own.values[e] * strength(own.pattern->columns[e]);
  }
  for (std::size_t s = 0; s < rows.rows(); ++s) {
    double found = 0.0, size = 0.0;
    for (std::int64_t e = rows.pattern->offsets[s]; e < rows.pattern->offsets[s + 1]; ++e) {
      found += rows.values[e] * strength(rows.pattern->columns[e]);
      size += std::abs(rows.values[e]) * 6.0;
      if (e > rows.pattern->offsets[s]) {
        EXPECT_LT(rows.pattern->columns[e - 1], rows.pattern->columns[e]);
      }
    }
    EXPECT_NEAR(found, expected[s], 1e-13 * size);
  }
}

}  // namespace
}  // namespace rankine::bem
