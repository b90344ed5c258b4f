// The near-field matrix on the device against that on the host: pairs, and entries of one layer and
// of several layers computed together.
#include "rankine/gpu/elements/device_panels.hpp"

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

using bem::Layer;

constexpr Layer every_layer[] = {Layer::single_layer, Layer::double_layer,
                                 Layer::adjoint_double_layer, Layer::hypersingular};

class NearFieldTest : public DeviceTest {
 protected:
  /// Every set of layers, computed together.
  static void expect_parity(const meshes::SurfaceMesh& mesh) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::CollocatedPanels discretization(panels);
    const auto host = bem::make_cpu_backend(), device = make_cuda_backend();
    const std::size_t n = panels.size();
    const auto x = fmm::make_strengths(n, 1);
    const bem::Array x_there = bem::uploaded(*device, x);
    for (unsigned set = 1; set < 16; ++set) {
      std::vector<Layer> layers;
      for (unsigned l = 0; l < 4; ++l) {
        if (set >> l & 1) layers.push_back(every_layer[l]);
      }
      const auto expected = host->assemble(discretization, layers, {});
      const auto found = device->assemble(discretization, layers, {});
      for (std::size_t l = 0; l < layers.size(); ++l) {
        EXPECT_EQ(found[l]->entries(), expected[l]->entries());
        std::vector<double> y(n, 0.0);
        expected[l]->add(0.7, x.data(), y.data());
        bem::Array y_there = device->allocate(n);
        found[l]->add(0.7, x_there.data(), y_there.data());
        EXPECT_LE(relative_error(bem::downloaded(*device, y_there, n), y), 1e-12)
            << "set " << set << ", layer " << static_cast<int>(layers[l]);
      }
    }
  }
};

TEST_F(NearFieldTest, EqualsTheHostOnTriangles) { expect_parity(meshes::make_sphere(1280)); }

TEST_F(NearFieldTest, EqualsTheHostOnQuadrilaterals) {
  expect_parity(meshes::make_torus(1000, 1.0, 0.4));
}

TEST_F(NearFieldTest, EqualsTheHostOnCoplanarPanels) {
  expect_parity(meshes::make_box(600, {1.0, 2.0, 0.5}));
}

TEST_F(NearFieldTest, EqualsTheHostOnPanelsOfManySizes) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  // Stretching by the exponential of the height gives panels whose sizes differ by factors of
  // hundreds.
  for (Vec3d& node : mesh.nodes) node *= std::exp(3.0 * node.z);
  expect_parity(mesh);
}

TEST_F(NearFieldTest, SeveralVectorsMeetItAsOneByOne) {
  // Rows of 17, 62 and 113 entries on average, for which 8, 16 and 32 lanes are used.
  for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
    const bem::Panels panels = bem::make_panels(meshes::make_sphere(1280));
    const bem::CollocatedPanels discretization(panels, {tolerance});
    const auto device = make_cuda_backend();
    const Layer layer = Layer::double_layer;
    const auto near = std::move(device->assemble(discretization, {&layer, 1}, {})[0]);
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
