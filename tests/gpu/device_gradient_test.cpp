// Surface gradients and fits around panels on the device against those on the host, panel by panel:
// the fits are the same, but their sums are rounded in another order.
#include <cmath>
#include <vector>

#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::gpu {
namespace {

class DeviceGradient : public testing::DeviceTest {};

void expect_the_hosts(const meshes::SurfaceMesh& mesh, bem::PanelGeometry geometry) {
  const bem::Panels panels = bem::make_panels(mesh, geometry);
  std::vector<double> values;
  for (const Vec3d& x : panels.centroid) values.push_back(std::sin(2.0 * x.x) + x.y * x.z);
  const bem::PanelNeighbourhood neighbourhood(panels);
  const bem::SurfaceGradient host = bem::surface_gradient(neighbourhood, values);
  const auto backend = make_cuda_backend();
  const bem::SurfaceGradient device = backend->gradient(neighbourhood, values);
  ASSERT_EQ(device.gradient.size(), panels.size());
  double largest = 0.0, error = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    largest = std::max(largest, norm(host.gradient[i]));
    error = std::max(error, norm(device.gradient[i] - host.gradient[i]));
    EXPECT_LT(norm(device.normal[i] - host.normal[i]), 1e-14);
  }
  EXPECT_GT(largest, 0.1);
  // The normal equations are solved if their pivots are within a factor of 1e-6 of each other. So
  // many digits may be lost to rounding.
  EXPECT_LT(error, 1e-16 * 1e6 * largest);
}

TEST_F(DeviceGradient, IsTheHostsOnTrianglesOfAllShapes) {
  expect_the_hosts(testing::jittered_sphere(5000), bem::PanelGeometry::curved);
  expect_the_hosts(testing::graded_sphere(5000), bem::PanelGeometry::curved);
  expect_the_hosts(testing::graded_sphere(5000), bem::PanelGeometry::flat);
}

TEST_F(DeviceGradient, IsTheHostsOnQuadrilateralsAndAtEdges) {
  expect_the_hosts(testing::cubed_sphere(3000), bem::PanelGeometry::curved);
  expect_the_hosts(meshes::make_box(600, {2.0, 1.0, 0.5}), bem::PanelGeometry::curved);
}

TEST_F(DeviceGradient, IsTheHostsWhereManyPanelsMeet) {
  expect_the_hosts(testing::double_cone(40), bem::PanelGeometry::flat);
  expect_the_hosts(testing::double_cone(300),
                   bem::PanelGeometry::flat);  // more neighbours than a ShortList holds
}

/// Fields of different sizes, so that a mix-up is detected.
struct Fields {
  std::vector<double> values, potential;
  std::vector<Vec3d> velocity;

  explicit Fields(const bem::Panels& panels) {
    for (const Vec3d& x : panels.centroid) {
      values.push_back(3.0 + std::cos(x.x - 2.0 * x.y) * x.z);
      potential.push_back(std::sin(2.0 * x.x) + x.y * x.z);
      velocity.push_back({x.y * x.y, 2.0 - x.x * x.z, std::sin(3.0 * x.z)});
    }
  }
};

void expect_same(const AlignedVector<bem::SurfaceIntegral>& device,
                 const AlignedVector<bem::SurfaceIntegral>& host, double tolerance) {
  ASSERT_EQ(device.size(), host.size());
  double largest = 0.0;
  for (const bem::SurfaceIntegral& each : host) largest = std::max(largest, std::abs(each.plain));
  for (std::size_t i = 0; i < host.size(); ++i) {
    ASSERT_NEAR(device[i].plain, host[i].plain, tolerance * largest) << "panel " << i;
    ASSERT_LT(norm(device[i].normal - host[i].normal), tolerance * largest) << "panel " << i;
    ASSERT_LT(norm(device[i].moment - host[i].moment), 3.0 * tolerance * largest) << "panel " << i;
  }
}

void expect_the_hosts_fits(const meshes::SurfaceMesh& mesh, bem::PanelGeometry geometry) {
  const bem::Panels panels = bem::make_panels(mesh, geometry);
  const bem::PanelNeighbourhood neighbourhood(panels);
  const Fields given(panels);
  const auto backend = make_cuda_backend();
  // As for gradients; values are up to 4.
  constexpr double tolerance = 1e-16 * 1e6 * 4.0;
  for (const bem::FittedFields& fields :
       {bem::FittedFields{given.values, given.potential, given.velocity},
        bem::FittedFields{{}, given.potential, given.velocity},
        bem::FittedFields{given.values, {}, given.velocity},
        bem::FittedFields{given.values, given.potential, {}}}) {
    const bem::PanelFits host = bem::fit_panels(neighbourhood, fields),
                         device = backend->fit(neighbourhood, fields);
    expect_same(device.of_values, host.of_values, tolerance);
    expect_same(device.of_potential, host.of_potential, tolerance);
    ASSERT_EQ(device.signs.size(), host.signs.size());
    for (std::size_t i = 0; i < host.signs.size(); ++i) {
      ASSERT_NEAR(device.signs[i].difference, host.signs[i].difference, tolerance) << i;
      ASSERT_NEAR(device.signs[i].deviation, host.signs[i].deviation, tolerance) << i;
      ASSERT_NEAR(device.signs[i].tilt, host.signs[i].tilt, tolerance) << i;
    }
  }
}

TEST_F(DeviceGradient, FitsAreTheHosts) {
  using enum bem::PanelGeometry;
  for (const bem::PanelGeometry geometry : {curved, flat}) {
    expect_the_hosts_fits(testing::jittered_sphere(3000), geometry);
    expect_the_hosts_fits(testing::graded_sphere(3000), geometry);
    expect_the_hosts_fits(testing::cubed_sphere(3000), geometry);
  }
  expect_the_hosts_fits(meshes::make_box(600, {2.0, 1.0, 0.5}), curved);
  expect_the_hosts_fits(testing::double_cone(40), flat);
  expect_the_hosts_fits(testing::double_cone(300), flat);  // more than a ShortList holds
}

}  // namespace
}  // namespace rankine::gpu
