#include "rankine/bem/layers/linear_corrections.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

constexpr std::array both{Layer::single_layer, Layer::double_layer};

TEST(LinearCorrections, AreNothingWhereStrengthsDoNotVary) {
  for (const auto& mesh : {testing::graded_sphere(320), testing::cubed_sphere(384)}) {
    const Panels panels = make_panels(mesh);
    const CollocatedPanels discretization(panels, {});
    for (const SparseRows& rows : discretization.variation_corrections(both)) {
      ASSERT_EQ(rows.rows(), panels.size());
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
}

/// The largest error of S Y and D Y on a unit sphere for the harmonic x: 1/3 and 1/6 of it.
std::array<double, 2> largest_errors(const meshes::SurfaceMesh& mesh, bool varied) {
  const Panels panels = make_panels(mesh);
  const CollocatedPanels discretization(panels, {1e-6});
  const auto backend = make_cpu_backend();
  LayerSet layers(*backend, discretization, varied);
  FarField far(layers, {.tolerance = 1e-9});
  std::vector<double> x, y(panels.size());
  for (const Vec3d& each : panels.centroid) x.push_back(each.x);
  std::array<double, 2> largest{};
  for (std::size_t l = 0; l < 2; ++l) {
    std::fill(y.begin(), y.end(), 0.0);
    BoundaryOperator(far, {.terms = {{both[l]}}}).add(1.0, x.data(), y.data());
    const double factor = l == 0 ? 1.0 / 3.0 : -1.0 / 6.0;
    for (std::size_t i = 0; i < y.size(); ++i)
      largest[l] = std::max(largest[l], std::abs(y[i] - factor * x[i]));
  }
  return largest;
}

// The error of nodes on the nearest panels is of second order in the size of panels, as is what is left of
// the single layer; with a factor.
TEST(LinearCorrections, TakeAwayMostOfTheErrorOfTheSingleLayer) {
  const meshes::SurfaceMesh mesh = testing::jittered_sphere(2000);
  EXPECT_LE(3.0 * largest_errors(mesh, true)[0], largest_errors(mesh, false)[0]);
}

TEST(LinearCorrections, OfDAddUpToTheDoubleLayer) {
  const meshes::SurfaceMesh mesh = testing::jittered_sphere(2000);
  EXPECT_LE(largest_errors(mesh, true)[1], 1.02 * largest_errors(mesh, false)[1]);
}

}  // namespace
}  // namespace rankine::bem
