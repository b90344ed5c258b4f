// The near-field matrix on the device against the host's, entry formulas and pairs alike.
#include "rankine/gpu/elements/near_assembly.hpp"

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/flat_panels.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using bem::Layer;

class NearFieldTest : public DeviceTest {
 protected:
  static void expect_parity(const meshes::SurfaceMesh& mesh) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::FlatPanels discretization(panels);
    const auto host = bem::make_cpu_backend(), device = make_cuda_backend();
    const std::size_t n = panels.size();
    const auto x = fmm::make_strengths(n, 1);
    for (const Layer layer :
         {Layer::single_layer, Layer::double_layer, Layer::adjoint_double_layer}) {
      SCOPED_TRACE(static_cast<int>(layer));
      const auto expected = std::move(host->assemble(discretization, {&layer, 1})[0]);
      const auto found = std::move(device->assemble(discretization, {&layer, 1})[0]);
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
    const bem::FlatPanels discretization(panels, {tolerance});
    const auto device = make_cuda_backend();
    const Layer layer = Layer::double_layer;
    const auto near = std::move(device->assemble(discretization, {&layer, 1})[0]);
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
