// Strengths that are linear on panels, from device and host, entry by entry.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/long_bodies.hpp"

namespace rankine::gpu {
namespace {

class StrengthsTest : public testing::DeviceTest {
 protected:
  /// `by_device`: computed on the device, not on the host and uploaded.
  static void expect_the_hosts(const meshes::SurfaceMesh& mesh, bool by_device = true) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::CollocatedPanels discretization(panels);
    if (discretization.panel_nodes().source.empty()) {
      const auto made = device_strengths(discretization, std::make_shared<const Stream>());
      EXPECT_EQ(made.nodes != nullptr, by_device);
    } else {
      EXPECT_FALSE(by_device) << "nodes are shared";
    }
    const auto backend = make_cuda_backend();
    const bem::StrengthRows strengths = discretization.strengths({});
    const bem::StrengthMatrices found = backend->strengths(discretization);
    expect_equal(strengths.nodes, found.nodes->on_host(), 1e-11);
    expect_equal(strengths.gradients, found.gradients->on_host(), 1e-11);

    constexpr std::array both{bem::Layer::single_layer, bem::Layer::double_layer};
    const std::vector<bem::SparseRows> moments = discretization.linear_moments(both, {});
    const auto made = backend->linear_moments(discretization, both, {});
    ASSERT_EQ(made.size(), both.size());
    // Moments of the panel and of its nodes cancel in part.
    for (std::size_t l = 0; l < both.size(); ++l)
      expect_equal(moments[l], made[l]->on_host(), 1e-9);
  }

  /// The same sums in the same order, except for fused multiply-adds. The determinant of a fit is
  /// more than 1e-3 of its squared trace, so that it amplifies rounding errors at most 1e3 times.
  static void expect_equal(const bem::SparseRows& expected, const bem::SparseRows& found,
                           double tolerance) {
    EXPECT_EQ(found.columns, expected.columns);
    ASSERT_EQ(found.pattern->offsets, expected.pattern->offsets);
    ASSERT_EQ(found.pattern->columns, expected.pattern->columns);
    for (std::size_t row = 0; row < expected.rows(); ++row) {
      double scale = 0.0, error = 0.0;
      for (auto e = expected.pattern->offsets[row]; e < expected.pattern->offsets[row + 1]; ++e) {
        const auto at = static_cast<std::size_t>(e);
        scale = std::max(scale, std::abs(expected.values[at]));
        error = std::max(error, std::abs(found.values[at] - expected.values[at]));
      }
      ASSERT_LE(error, tolerance * scale) << "row " << row;
    }
  }
};

TEST_F(StrengthsTest, AreTheHostsOnTriangles) { expect_the_hosts(meshes::make_sphere(5120)); }

TEST_F(StrengthsTest, AreTheHostsOnQuadrilaterals) {
  expect_the_hosts(meshes::make_torus(1000, 1.0, 0.4));
}

TEST_F(StrengthsTest, AreTheHostsBesideSharpEdges) {
  expect_the_hosts(meshes::make_box(600, {1.0, 2.0, 0.5}));
}

TEST_F(StrengthsTest, AreTheHostsOnPanelsOfManySizes) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  for (Vec3d& node : mesh.nodes) node *= std::exp(0.3 * node.z);
  expect_the_hosts(mesh);
}

TEST_F(StrengthsTest, AreTheHostsInOpenPatches) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  // Every third panel is missing: there are rims, corners and isolated panels.
  for (std::size_t from = 0, to = 0; from < mesh.elements.size(); ++from) {
    if (from % 3 != 0) mesh.elements[to++] = mesh.elements[from];
    if (from + 1 == mesh.elements.size()) mesh.elements.resize(to);
  }
  mesh.patch.resize(mesh.elements.size());
  expect_the_hosts(mesh);
}

TEST_F(StrengthsTest, AreTheHostsBesideFans) {
  expect_the_hosts(testing::cone(40), false);
  expect_the_hosts(testing::cone(400), false);
}

}  // namespace
}  // namespace rankine::gpu
