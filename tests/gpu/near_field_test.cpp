// The near-field matrix on the device against that on the host: pairs, and entries of one layer and
// of several layers computed together.
#include "rankine/gpu/elements/device_panels.hpp"

#include <array>
#include <memory>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/lift/lifting_edges.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

using bem::Layer;

constexpr Layer every_layer[] = {Layer::single_layer, Layer::double_layer,
                                 Layer::adjoint_double_layer, Layer::hypersingular};

class NearFieldTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped()) device = make_cuda_backend();
  }

  /// 0.7 A x.
  static std::vector<double> product(bem::Backend& backend, bem::SparseMatrix& matrix) {
    const bem::Array x = bem::uploaded(backend, fmm::make_strengths(matrix.columns(), 1));
    bem::Array y = backend.allocate(matrix.rows());
    matrix.add(0.7, x.data(), y.data());
    return bem::downloaded(backend, y, matrix.rows());
  }

  using Matrices = std::vector<std::unique_ptr<bem::SparseMatrix>>;

  void expect_same(const Matrices& found, const Matrices& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t l = 0; l < found.size(); ++l) {
      EXPECT_EQ(found[l]->entries(), expected[l]->entries());
      ASSERT_EQ(found[l]->rows(), expected[l]->rows());
      EXPECT_LE(relative_error(product(*device, *found[l]), product(*host, *expected[l])),
                tolerance)
          << "matrix " << l;
    }
  }

  /// Every set of layers, computed together.
  void expect_parity(const bem::Discretization& discretization) {
    for (unsigned set = 1; set < 16; ++set) {
      SCOPED_TRACE(set);
      std::vector<Layer> layers;
      for (unsigned l = 0; l < 4; ++l) {
        if (set >> l & 1) layers.push_back(every_layer[l]);
      }
      expect_same(device->assemble(discretization, layers, {}),
                  host->assemble(discretization, layers, {}), 1e-12);
    }
  }
  void expect_parity(const meshes::SurfaceMesh& mesh, const meshes::Symmetry& symmetry = {}) {
    const bem::Panels panels = bem::make_panels(mesh, bem::PanelGeometry::curved, symmetry);
    expect_parity(bem::CollocatedPanels(panels));
  }

  const std::unique_ptr<bem::Backend> host = bem::make_cpu_backend();
  std::unique_ptr<bem::Backend> device;
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

TEST_F(NearFieldTest, EqualsTheHostBesideSymmetryPlanes) {
  const meshes::Symmetry one({{.axis = 1, .sign = 1.0}}),
      two({{.axis = 1, .sign = 1.0}, {.axis = 2, .sign = -1.0}});
  const meshes::SurfaceMesh torus = meshes::make_torus(1000, 1.0, 0.4);
  expect_parity(testing::positive_part(torus, {1}), one);
  expect_parity(testing::positive_part(torus, {1, 2}), two);
}

/// Rows of targets and of their images, without those of the wake's unknowns.
TEST_F(NearFieldTest, EqualsTheHostBesideWakes) {
  const meshes::SurfaceMesh whole =
      meshes::make_wing({24, 16}, meshes::naca_section("0012"), {.span = 4.0, .sweep = 20.0});
  meshes::SurfaceMesh half = testing::positive_part(whole, {1});
  const meshes::Symmetry symmetry({{.axis = 1, .sign = 1.0}});
  meshes::meet_planes(half, symmetry);
  for (const bem::Panels& panels : {bem::make_panels(whole, bem::PanelGeometry::flat),
                                    bem::make_panels(half, bem::PanelGeometry::flat, symmetry)}) {
    SCOPED_TRACE(panels.symmetry.images());
    bem::Panels body = panels;
    const bem::LiftingEdges edges = bem::lifting_edges(body, {1.0, 0.0, 0.1});
    const bem::SourcePanels discretization(edges.sources, {}, *host);
    expect_parity(discretization);
    constexpr std::array both{Layer::single_layer, Layer::double_layer};
    // Moments of a panel and of its nodes cancel in part.
    expect_same(device->linear_moments(discretization, both, {}),
                host->linear_moments(discretization, both, {}), 1e-9);
    // A part of the rows, as a process of several has it.
    const std::size_t rows = discretization.targets().size();
    for (const bem::RowRange& part :
         {bem::RowRange{0, rows / 3}, bem::RowRange{rows / 3, rows - 2}, bem::RowRange{rows - 2}}) {
      expect_same(device->assemble(discretization, both, part),
                  host->assemble(discretization, both, part), 1e-12);
      expect_same(device->linear_moments(discretization, both, part),
                  host->linear_moments(discretization, both, part), 1e-9);
    }
  }
}

TEST_F(NearFieldTest, SeveralVectorsMeetItAsOneByOne) {
  // Rows of 17, 62 and 113 entries on average, for which 8, 16 and 32 lanes are used.
  for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
    const bem::Panels panels = bem::make_panels(meshes::make_sphere(1280));
    const bem::CollocatedPanels discretization(panels, {tolerance});
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
