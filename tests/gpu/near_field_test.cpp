// The near-field matrix on the device against the host's: pairs, and entries of one layer and of
// several made together.
#include "rankine/gpu/elements/near_assembly.hpp"

#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/near_field.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/elements/device_integrals.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/meshes/shapes.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using bem::Layer;

constexpr Layer every_layer[] = {Layer::single_layer, Layer::double_layer,
                                 Layer::adjoint_double_layer, Layer::hypersingular};

/// Everything that near entries read, on the device.
struct DeviceGeometry {
  DeviceGeometry(const bem::Panels& panels, const bem::Discretization& d, const Stream& stream)
      : shape(panels.shape, stream),
        centroid(panels.centroid, stream),
        normal(panels.normal, stream),
        points(d.points, stream),
        normals(d.normals, stream),
        middle_radius(d.middle_radius, stream),
        weights(d.weights, stream),
        nodes(d.nodes) {}

  bem::NearEntryView view() const {
    return {.shape = shape.data(),
            .centroid = centroid.data(),
            .normal = normal.data(),
            .middle_radius = middle_radius.data(),
            .far_points = points.data(),
            .far_normals = normals.data(),
            .far_weights = weights.data(),
            .nodes = nodes};
  }

  DeviceBuffer<bem::PanelShape<double>> shape;
  DeviceBuffer<Vec3d> centroid, normal, points, normals;
  DeviceBuffer<double> middle_radius, weights;
  int nodes;
};

class NearFieldTest : public DeviceTest {
 protected:
  static void expect_parity(const meshes::SurfaceMesh& mesh) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::Discretization discretization = bem::discretize(panels);
    const auto host = bem::make_cpu_backend(), device = make_cuda_backend();
    const std::size_t n = panels.size();
    const auto x = fmm::make_strengths(n, 1);
    for (const Layer layer : every_layer) {
      SCOPED_TRACE(static_cast<int>(layer));
      const auto expected = host->make_near_field(panels, discretization, layer);
      const auto found = device->make_near_field(panels, discretization, layer);
      EXPECT_EQ(found->entries(), expected->entries());
      std::vector<double> y(n, 0.0), y_there(n);
      expected->add(0.7, x.data(), y.data());
      bem::Array in = device->allocate(n), out = device->allocate(n);
      device->upload(x, in.data());
      found->add(0.7, in.data(), out.data());
      device->download(out.data(), y_there);
      EXPECT_LE(relative_error(y_there, y), 1e-12);
    }
  }
};

TEST_F(NearFieldTest, LayersMadeTogetherEqualTheHosts) {
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(1280), meshes::make_torus(1000, 1.0, 0.4)}) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::Discretization d = bem::discretize(panels);
    const bem::NearPairs pairs =
        bem::find_near_pairs(panels.centroid, panels.centroid, d.near_radius);
    const std::size_t count = pairs.columns.size();
    const Stream stream;
    const DeviceGeometry geometry(panels, d, stream);
    const DeviceBuffer<std::int64_t> offsets(pairs.offsets, stream);
    const DeviceBuffer<std::int32_t> columns(pairs.columns, stream);
    for (unsigned set = 1; set < 16; ++set) {
      SCOPED_TRACE(set);
      std::vector<Layer> layers;
      for (unsigned l = 0; l < 4; ++l) {
        if (set >> l & 1) layers.push_back(every_layer[l]);
      }
      std::vector<std::vector<double>> expected(layers.size(), std::vector<double>(count));
      std::vector<DeviceBuffer<double>> found;
      std::vector<double*> host_values, device_values;
      for (std::vector<double>& of_layer : expected) {
        host_values.push_back(of_layer.data());
        found.emplace_back(std::vector<double>(count, -1.0), stream);
        device_values.push_back(found.back().data());
      }
      bem::integrate_near(bem::near_entry_view(panels, d), layers, pairs, host_values);
      integrate_near(geometry.view(), layers, panels.size(), offsets.data(), columns.data(),
                     device_values, stream);
      for (std::size_t l = 0; l < layers.size(); ++l) {
        EXPECT_LE(relative_error(found[l].download(stream), expected[l]), 1e-12) << l;
      }
    }
  }
}

TEST_F(NearFieldTest, EqualsTheHostOnTriangles) { expect_parity(meshes::make_sphere(1280)); }

TEST_F(NearFieldTest, EqualsTheHostOnQuadrilaterals) {
  expect_parity(meshes::make_torus(1000, 1.0, 0.4));
}

TEST_F(NearFieldTest, EqualsTheHostOnCoplanarPanels) {
  expect_parity(meshes::make_box(600, {1.0, 2.0, 0.5}));
}

TEST_F(NearFieldTest, EqualsTheHostOnPanelsOfManySizes) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  // Stretching by the exponential of the height makes panels differ by factors in the hundreds.
  for (Vec3d& node : mesh.nodes) node *= std::exp(3.0 * node.z);
  expect_parity(mesh);
}

TEST_F(NearFieldTest, SeveralVectorsMeetItAsOneByOne) {
  // Rows of 17, 62 and 113 entries in the mean, which take 8, 16 and 32 lanes.
  for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
    const bem::Panels panels = bem::make_panels(meshes::make_sphere(1280));
    const bem::Discretization discretization = bem::discretize(panels, {tolerance});
    const auto device = make_cuda_backend();
    const auto near = device->make_near_field(panels, discretization, Layer::double_layer);
    SCOPED_TRACE(near->entries() / panels.size());
    const std::size_t n = panels.size();
    for (const int rhs : {1, 2, 3, 4, 7}) {
      const std::size_t all = static_cast<std::size_t>(rhs) * n;
      bem::Array x = device->allocate(all), together = device->allocate(all),
                 alone = device->allocate(all);
      device->upload(fmm::make_strengths(all, 1), x.data());
      near->add(0.7, x.data(), together.data(), rhs);
      for (std::size_t k = 0; k < all; k += n) near->add(0.7, x.data() + k, alone.data() + k);
      std::vector<double> found(all), expected(all);
      device->download(together.data(), found);
      device->download(alone.data(), expected);
      EXPECT_EQ(found, expected) << rhs << " vectors: the same operations in the same order";
    }
  }
}

TEST_F(NearFieldTest, EqualsTheHostOnVeryFewPanels) { expect_parity(meshes::make_sphere(20)); }

}  // namespace
}  // namespace rankine::gpu
