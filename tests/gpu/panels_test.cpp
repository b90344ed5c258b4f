// Panels and their quadrature nodes from the device against those from the host: the formulas are
// the same, but sums are rounded differently.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "rankine/bem/layers/edge_strengths.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/curve_panels.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::gpu {
namespace {

class DevicePanels : public testing::DeviceTest {
 protected:
  /// The device's panels of a mesh, without the host's corrections.
  static std::optional<bem::BentPanels> by_device(const meshes::SurfaceMesh& mesh,
                                                  bem::PanelGeometry kind) {
    return device_panels(mesh.nodes, mesh.elements, kind, Stream());
  }

  static void expect_same(const bem::Panels& found, const bem::Panels& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    EXPECT_EQ(found.nodes, wanted.nodes);
    EXPECT_EQ(found.at_nodes->offsets, wanted.at_nodes->offsets);
    EXPECT_EQ(found.at_nodes->panels, wanted.at_nodes->panels);
    const bem::PanelNeighbourhood around(found), as_wanted(wanted);
    EXPECT_EQ(bem::panels_at_edges(around), bem::panels_at_edges(as_wanted));
    EXPECT_EQ(found.patch, wanted.patch);
    EXPECT_EQ(found.node_count, wanted.node_count);
    EXPECT_EQ(found.curves.curved, wanted.curves.curved);
    EXPECT_EQ(found.curves.straight, wanted.curves.straight);
    // Normals at nodes are rounded to float, some of them to the neighbouring number: 1.2e-7. A
    // bulge differs by an eighth of that at each of two ends, times the length of its edge, at most
    // two radii. A point differs by at most four thirds of a bulge. A normal differs by about ten
    // bulges over the panel's width, which is at least a quarter of its radius.
    constexpr double of_bulge = 1.2e-7 / 4 * 2, of_point = 4.0 / 3 * of_bulge,
                     of_normal = 40.0 * of_bulge;
    for (std::size_t j = 0; j < found.size(); ++j) {
      const double radius = wanted.radius[j];
      const bem::PanelShape<double>&shape = found.shape[j], &expected = wanted.shape[j];
      ASSERT_EQ(shape.corners, expected.corners);
      ASSERT_EQ(shape.curved, expected.curved) << "panel " << j;
      for (int k = 0; k < shape.corners; ++k) {
        ASSERT_EQ(shape.corner[k], expected.corner[k]);
        ASSERT_LE(norm(shape.bulge[k] - expected.bulge[k]), of_bulge * radius) << "panel " << j;
      }
      ASSERT_LE(norm(shape.diagonal_bulge - expected.diagonal_bulge), of_bulge * radius);
      ASSERT_LE(norm(found.centroid[j] - wanted.centroid[j]), of_point * radius) << "panel " << j;
      ASSERT_LE(norm(found.normal[j] - wanted.normal[j]), of_normal) << "panel " << j;
      ASSERT_LE(std::abs(found.radius[j] - radius), of_point * radius) << "panel " << j;
      ASSERT_LE(std::abs(found.area[j] - wanted.area[j]), of_normal * radius * radius);
      ASSERT_LE(norm(found.vector_area[j] - wanted.vector_area[j]), of_normal * radius * radius);
    }
  }

  static void expect_the_hosts(const meshes::SurfaceMesh& mesh,
                               const meshes::Symmetry& symmetry = {}) {
    using enum bem::PanelGeometry;
    const auto backend = make_cuda_backend();
    for (const bem::PanelGeometry kind : {curved, flat})
      expect_same(bem::make_panels(mesh, kind, symmetry, bem::panel_fit(*backend)),
                  bem::make_panels(mesh, kind, symmetry));
  }
};

TEST_F(DevicePanels, AreTheHostsOnSpheres) {
  expect_the_hosts(meshes::make_sphere(20480));
  expect_the_hosts(testing::jittered_sphere(5000));
  expect_the_hosts(testing::graded_sphere(5000));
  expect_the_hosts(testing::cubed_sphere(3000));
}

TEST_F(DevicePanels, AreTheHostsAtEdges) {
  expect_the_hosts(meshes::make_box(600, {2.0, 1.0, 0.5}));
  expect_the_hosts(meshes::make_torus(2000, 1.0, 0.4));
  expect_the_hosts(testing::double_cone(40));
}

TEST_F(DevicePanels, AreTheHostsNextToSymmetryPlanes) {
  const meshes::Symmetry symmetry({meshes::SymmetryPlane{.axis = 1}});
  meshes::SurfaceMesh half = testing::positive_part(meshes::make_sphere(1280), {1});
  meshes::meet_planes(half, symmetry);
  expect_the_hosts(half, symmetry);
}

TEST_F(DevicePanels, MovesToTheSurfaceWhatMayStay) {
  const auto fine = by_device(meshes::make_sphere(81920), bem::PanelGeometry::curved);
  ASSERT_TRUE(fine);
  EXPECT_TRUE(bem::may_stay(*fine));
  EXPECT_TRUE(fine->on_surface);
  EXPECT_TRUE(fine->normals.empty());
  const auto flat = by_device(meshes::make_sphere(81920), bem::PanelGeometry::flat);
  ASSERT_TRUE(flat);
  EXPECT_FALSE(flat->on_surface);
}

TEST_F(DevicePanels, LeaveToTheHostWhatIsToBeSettled) {
  // Points of coarse panels move by more than a hundredth of the panel size; slivers of a coarse
  // body are steep.
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(80), meshes::make_ellipsoid(320, {1.0, 1.0, 0.05})}) {
    const auto coarse = by_device(mesh, bem::PanelGeometry::curved);
    ASSERT_TRUE(coarse);
    EXPECT_FALSE(bem::may_stay(*coarse));
    EXPECT_FALSE(coarse->on_surface);
    EXPECT_EQ(coarse->normals.size(), mesh.elements.size());
    expect_the_hosts(mesh);
  }
  // Two sheets whose distance is less than their bulges.
  meshes::SurfaceMesh shells = meshes::make_sphere(320, 1.0);
  meshes::SurfaceMesh inner = meshes::make_sphere(320, 0.995);
  for (meshes::Element& each : inner.elements) each = meshes::reversed(each);
  expect_the_hosts(testing::joined(shells, inner));
}

TEST_F(DevicePanels, LeaveHubsAndFaultsToTheHost) {
  EXPECT_FALSE(by_device(testing::double_cone(300), bem::PanelGeometry::curved));
  expect_the_hosts(testing::double_cone(300));

  const auto backend = make_cuda_backend();
  const auto make = [&](const meshes::SurfaceMesh& mesh) {
    return bem::make_panels(mesh, bem::PanelGeometry::curved, {}, bem::panel_fit(*backend));
  };
  meshes::SurfaceMesh mesh = meshes::make_sphere(320);
  mesh.elements[7][1] = static_cast<std::int32_t>(mesh.nodes.size());
  EXPECT_THROW(make(mesh), MeshError);
  mesh.elements[7][1] = -5;
  EXPECT_THROW(make(mesh), MeshError);
  mesh = meshes::make_sphere(320);
  mesh.nodes[3].y = std::nan("");
  EXPECT_THROW(make(mesh), MeshError);
  mesh = meshes::make_sphere(320);
  mesh.elements[9] = {0, 1, 1, -1};
  EXPECT_THROW(make(mesh), MeshError);
  EXPECT_EQ(make({}).size(), 0);
}

class DeviceNodes : public testing::DeviceTest {
 protected:
  template <class T>
  static void expect_a_copy(const MirroredSpan<T>& host, const Stream& stream) {
    const DeviceCopy<T> copy(host, stream);
    std::vector<T> values(copy.size());
    download_bytes(values.data(), copy.data(), values.size() * sizeof(T), stream);
    stream.synchronize();
    EXPECT_TRUE(std::ranges::equal(values, host));
    EXPECT_EQ(DeviceCopy<T>(host, stream).data(), copy.data()) << "copied once";
  }

  /// The host fetches some elements, then all of them.
  template <class T>
  static void expect_on_request(const FetchedVector<T>& made) {
    ASSERT_TRUE(made.mirror().is_only());
    std::vector<std::int64_t> numbers;
    for (std::size_t k = 0; k < made.size(); k += 7)
      numbers.push_back(static_cast<std::int64_t>(k));
    { const MirrorHold hold(MemorySpace::device, {&made.mirror()}); }
    const AlignedVector<T> some = made.gathered(numbers);
    EXPECT_TRUE(made.mirror().is_only());
    const FetchedVector<T> twin = made;
    EXPECT_FALSE(made.mirror().is_only());
    EXPECT_EQ(twin.on_host(), made.on_host());
    for (std::size_t k = 0; k < some.size(); ++k)
      ASSERT_EQ(some[k], made.on_host()[static_cast<std::size_t>(numbers[k])]);
    EXPECT_EQ(made.gathered(numbers), some);
  }

  static void expect_the_hosts(const meshes::SurfaceMesh& mesh, double tolerance,
                               bem::PanelGeometry kind = bem::PanelGeometry::curved) {
    const bem::Panels panels = bem::make_panels(mesh, kind);
    const auto stream = std::make_shared<const Stream>();
    const bem::PanelNodes found = device_nodes(panels, {tolerance}, *stream);
    const bem::PanelNodes wanted = bem::place_nodes(panels, {tolerance});
    // It is proportional to moment^1.5 / area^3, and each of these sums over n panels, here and on
    // the host, has an error of at most n roundings.
    const double of_a_sum = static_cast<double>(panels.size()) * 0x1p-53;
    EXPECT_NEAR(found.tolerance, wanted.tolerance, 2.0 * 4.5 * of_a_sum * wanted.tolerance);
    EXPECT_EQ(found.first, wanted.first);
    EXPECT_EQ(found.balls.first, wanted.balls.first);
    EXPECT_EQ(found.balls.centre, wanted.balls.centre);
    EXPECT_TRUE(found.source.empty());
    expect_on_request(found.points);
    expect_on_request(found.normals);
    expect_on_request(found.weights);
    // A few operations on positions of a body about as large as its distance from the origin;
    // powers are accurate to a few units in the last place.
    constexpr double rounding = 1e-14;
    EXPECT_NEAR(found.error_estimate, wanted.error_estimate, 1e-7 * wanted.error_estimate);
    for (std::size_t j = 0; j < panels.size(); ++j) {
      ASSERT_NEAR(found.balls.radius[j], wanted.balls.radius[j], rounding * wanted.balls.radius[j]);
      ASSERT_NEAR(found.middle_radius[j], wanted.middle_radius[j],
                  rounding * wanted.middle_radius[j]);
      for (std::size_t k = wanted.begin(j); k < wanted.end(j); ++k) {
        ASSERT_LE(norm(found.points.on_host()[k] - wanted.points.on_host()[k]), rounding * 4.0)
            << "panel " << j;
        ASSERT_LE(norm(found.normals.on_host()[k] - wanted.normals.on_host()[k]), 1e3 * rounding)
            << "panel " << j;
        const double weight = wanted.weights.on_host()[k];
        ASSERT_NEAR(found.weights.on_host()[k], weight, 1e3 * rounding * weight);
      }
    }
    expect_a_copy<std::int64_t>(found.first, *stream);
    expect_a_copy<Vec3d>(found.points, *stream);
    expect_a_copy<Vec3d>(found.normals, *stream);
    expect_a_copy<double>(found.weights, *stream);
    expect_a_copy<double>(found.middle_radius, *stream);
  }
};

TEST_F(DeviceNodes, AreTheHosts) {
  // One, three and six nodes on triangles and quadrilaterals.
  for (const double tolerance : {0.0, 0.02, 1e-3, 1e-5}) {
    expect_the_hosts(testing::jittered_sphere(2000), tolerance);
    expect_the_hosts(testing::graded_sphere(2000), tolerance);
    expect_the_hosts(testing::cubed_sphere(2000), tolerance);
    expect_the_hosts(meshes::make_box(600, {2.0, 1.0, 0.5}), tolerance, bem::PanelGeometry::flat);
  }
}

TEST_F(DeviceNodes, OnStripsAreTheHosts) {
  // Some panels on strips, all of them, and long ones for which whole rules are better.
  const meshes::WingPlan plan{.span = 4.0};
  expect_the_hosts(meshes::make_wing({80, 20}, meshes::naca_section("0003"), plan), 0.0);
  expect_the_hosts(testing::double_cone(200), 0.0);
  expect_the_hosts(testing::double_cone(200), 1e-6, bem::PanelGeometry::flat);
  const auto backend = make_cuda_backend();
  EXPECT_THROW(backend->place_nodes({}, {-1.0}), InputError);
  EXPECT_THROW(backend->place_nodes(bem::make_panels(testing::double_cone(20)), {-1.0}),
               InputError);
  EXPECT_EQ(backend->place_nodes({}, {}).points.size(), 0);
}

}  // namespace
}  // namespace rankine::gpu
