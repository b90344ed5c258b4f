// S, D and K' on the sphere: eigenvalues with their slope, identities, and the FMM-plus-near form
// against dense sums.
#include "rankine/bem/layers/boundary_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "rankine/meshes/torus.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

fmm::Options direct() {
  fmm::Options options;
  options.method = fmm::Method::direct;
  return options;
}

std::vector<double> apply(BoundaryOperator& boundary, Layer layer, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  boundary.add(layer, 1.0, x.data(), y.data());
  return y;
}

/// Area-weighted relative error of (layer Y) against eigenvalue * Y.
double eigenvalue_error(const meshes::SurfaceMesh& mesh, Layer layer, int l,
                        const std::function<double(const Vec3d&)>& harmonic) {
  const Panels panels = make_panels(mesh);
  const Discretization discretization = discretize(panels);
  const auto backend = make_cpu_backend();
  BoundaryOperator boundary(*backend, panels, discretization, direct());
  std::vector<double> y;
  for (const Vec3d& x : panels.centroid) y.push_back(harmonic(normalized(x)));
  const double eigenvalue = layer == Layer::single_layer ? 1.0 / (2 * l + 1) : -0.5 / (2 * l + 1);
  const std::vector<double> result = apply(boundary, layer, y);
  double error = 0.0, total = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double difference = result[i] - eigenvalue * y[i];
    error += panels.area[i] * difference * difference;
    total += panels.area[i] * eigenvalue * eigenvalue * y[i] * y[i];
  }
  return std::sqrt(error / total);
}

double y1(const Vec3d& n) { return n.x; }
double y2(const Vec3d& n) { return n.x * n.y; }
double y3(const Vec3d& n) { return n.z * (5.0 * n.z * n.z - 3.0); }

TEST(BoundaryOperator, SphereEigenvaluesConverge) {
  // S and D of flat constant panels are second order; K' is first order, because the flat own panel
  // misses the curvature term sigma h/(8 R).
  struct Case {
    Layer layer;
    double least_order;
  };
  for (const Case& c : {Case{Layer::single_layer, 1.8},
                        {Layer::double_layer, 1.8},
                        {Layer::adjoint_double_layer, 0.8}}) {
    int l = 0;
    for (const auto& harmonic : {y1, y2, y3}) {
      ++l;
      const double coarse = eigenvalue_error(meshes::make_sphere(320), c.layer, l, harmonic);
      const double fine = eigenvalue_error(meshes::make_sphere(1280), c.layer, l, harmonic);
      EXPECT_GE(testing::order(coarse, fine), c.least_order)
          << "layer " << static_cast<int>(c.layer) << " l " << l;
      if (l == 1 && c.layer != Layer::adjoint_double_layer) {
        EXPECT_LE(fine, 0.01);
      }
    }
  }
}

TEST(BoundaryOperator, WarpedQuadrilateralsConvergeToo) {
  for (const Layer layer : {Layer::single_layer, Layer::double_layer}) {
    const double coarse = eigenvalue_error(testing::cubed_sphere(384), layer, 1, y1);
    const double fine = eigenvalue_error(testing::cubed_sphere(1536), layer, 1, y1);
    EXPECT_GE(testing::order(coarse, fine), 1.7);
  }
}

TEST(BoundaryOperator, DoubleLayerOfOneIsMinusOneHalf) {
  // Exact integrals give -1/2 to rounding; far quadrature adds the error that was asked for.
  for (const auto& mesh : {meshes::make_sphere(1280), testing::graded_sphere(1280),
                           testing::cubed_sphere(864), meshes::make_torus(1000, 2.0, 0.7)}) {
    const Panels panels = make_panels(mesh);
    const auto backend = make_cpu_backend();
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const Discretization discretization = discretize(panels, {tolerance});
      BoundaryOperator boundary(*backend, panels, discretization, direct());
      const std::vector<double> row_sum =
          apply(boundary, Layer::double_layer, std::vector<double>(panels.size(), 1.0));
      double squares = 0.0;
      for (const double value : row_sum) squares += (value + 0.5) * (value + 0.5);
      EXPECT_LE(std::sqrt(squares / static_cast<double>(panels.size())), tolerance)
          << mesh.source << ' ' << panels.size() << " panels, " << discretization.nodes << " nodes";
    }
  }
}

TEST(BoundaryOperator, MatchesDenseExactIntegrals) {
  const Panels panels = make_panels(meshes::make_sphere(720));
  const Discretization discretization = discretize(panels, {1e-6});
  const auto backend = make_cpu_backend();
  fmm::Options options;
  options.tolerance = 1e-8;
  options.gradient = true;
  options.dipoles = true;
  BoundaryOperator boundary(*backend, panels, discretization, options);
  std::vector<double> x;
  for (const Vec3d& c : panels.centroid) x.push_back(1.0 + c.x - 2.0 * c.y * c.z);
  const std::vector<double> s = apply(boundary, Layer::single_layer, x),
                            d = apply(boundary, Layer::double_layer, x),
                            k = apply(boundary, Layer::adjoint_double_layer, x);
  for (std::size_t i = 0; i < panels.size(); i += 7) {
    double single = 0.0, dbl = 0.0, adjoint = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      const auto integrals = integrate_panel<true>(panels.shape[j], panels.centroid[i], i == j);
      single += x[j] * integrals.single / (4.0 * std::numbers::pi);
      dbl += x[j] * integrals.dbl / (4.0 * std::numbers::pi);
      adjoint += x[j] * dot(panels.normal[i], integrals.grad_single) / (4.0 * std::numbers::pi);
    }
    // Quadrature 1e-6 of the operators' size (about one) in the mean, ten times that at single
    // points.
    EXPECT_NEAR(s[i], single, 1e-5);
    EXPECT_NEAR(d[i], dbl, 1e-5);
    EXPECT_NEAR(k[i], adjoint, 1e-5);
  }
  EXPECT_LE(boundary.sampled_error(Layer::single_layer, x.data(), 100), 1e-8);
}

TEST(BoundaryOperator, SumsIntoItsResult) {
  const Panels panels = make_panels(meshes::make_sphere(80));
  const Discretization discretization = discretize(panels);
  const auto backend = make_cpu_backend();
  BoundaryOperator boundary(*backend, panels, discretization, direct());
  const std::vector<double> x(panels.size(), 1.0);
  const std::vector<double> once = apply(boundary, Layer::single_layer, x);
  std::vector<double> y(panels.size(), 3.0);
  boundary.add(Layer::single_layer, -2.0, x.data(), y.data());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], 3.0 - 2.0 * once[i], 1e-14);
  EXPECT_GT(boundary.near_bytes(), 0u);
  boundary.release(Layer::single_layer);
  EXPECT_EQ(boundary.near_bytes(), 0u);
}

}  // namespace
}  // namespace rankine::bem
