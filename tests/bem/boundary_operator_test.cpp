// S, D and K' on the sphere: eigenvalues with their slope, identities, and the FMM-plus-near form
// against dense sums.
#include "rankine/bem/layers/boundary_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using rankine::testing::PanelLayers;

/// Area-weighted relative error of (layer Y) against eigenvalue * Y.
double eigenvalue_error(const Panels& panels, Layer layer, int l,
                        const std::function<double(const Vec3d&)>& harmonic) {
  PanelLayers layers(panels);
  std::vector<double> y;
  for (const Vec3d& x : panels.centroid) y.push_back(harmonic(normalized(x)));
  const double eigenvalue = layer == Layer::single_layer ? 1.0 / (2 * l + 1) : -0.5 / (2 * l + 1);
  const std::vector<double> result = layers.apply(layer, y);
  std::vector<double> exact;
  for (const double each : y) exact.push_back(eigenvalue * each);
  return relative_error(panels.area, result, exact).l2;
}

double y1(const Vec3d& n) { return n.x; }
double y2(const Vec3d& n) { return n.x * n.y; }
double y3(const Vec3d& n) { return n.z * (5.0 * n.z * n.z - 3.0); }

TEST(BoundaryOperator, SphereEigenvaluesConverge) {
  // What the value at the point of a panel of size h lacks to the mean is h^2/48 of the surface
  // Laplacian, l (l + 1) Y, and goes through the layer as Y does. A tenth is for the rest; a half
  // of K', whose kernel the closed forms know to second order in the slope of a panel.
  for (const Layer layer :
       {Layer::single_layer, Layer::double_layer, Layer::adjoint_double_layer}) {
    for (const std::int64_t count : {1280, 5120}) {
      const Panels panels = make_panels(meshes::make_sphere(count));
      const double size2 = 4.0 / std::sqrt(3.0) * total_area(panels) / static_cast<double>(count);
      int l = 0;
      for (const auto& harmonic : {y1, y2, y3}) {
        ++l;
        const double rest = layer == Layer::adjoint_double_layer ? 1.5 : 1.1;
        EXPECT_LE(eigenvalue_error(panels, layer, l, harmonic), rest * size2 / 48.0 * l * (l + 1))
            << "layer " << static_cast<int>(layer) << " l " << l << ", " << count << " panels";
      }
    }
  }
}

TEST(BoundaryOperator, OfFlatPanelsConvergesToo) {
  // S and D are second order; K' is first order, because the flat own panel misses the curvature
  // term sigma h/(8 R).
  for (const auto& [layer, least_order] : {std::pair{Layer::single_layer, 1.3},
                                           {Layer::double_layer, 1.8},
                                           {Layer::adjoint_double_layer, 0.8}}) {
    int l = 0;
    for (const auto& harmonic : {y1, y2, y3}) {
      ++l;
      const auto error = [&, of = layer](std::int64_t count) {
        return eigenvalue_error(make_panels(meshes::make_sphere(count), PanelGeometry::flat), of, l,
                                harmonic);
      };
      EXPECT_GE(testing::order(error(320), error(1280)), least_order)
          << "layer " << static_cast<int>(layer) << " l " << l;
    }
  }
}

TEST(BoundaryOperator, WarpedQuadrilateralsConvergeToo) {
  for (const PanelGeometry geometry : {PanelGeometry::curved, PanelGeometry::flat}) {
    for (const Layer layer : {Layer::single_layer, Layer::double_layer}) {
      const auto error = [&](std::int64_t count) {
        return eigenvalue_error(make_panels(testing::cubed_sphere(count), geometry), layer, 1, y1);
      };
      EXPECT_GE(testing::order(error(864), error(3456)), 1.7);
    }
  }
}

TEST(BoundaryOperator, DoubleLayerOfOneIsMinusOneHalf) {
  // Exact integrals give -1/2 to rounding; far quadrature adds the error that was asked for. The
  // strips of curved panels cancel between neighbours, but not where closed forms meet quadrature:
  // they are exact but for (bulge/distance)^2, and the bulge of a panel of size h is h^2/8 of the
  // curvature k, the distance there 1.5 h. With a ring of strips of angle k h/2 that is (k
  // h)^3/288.
  for (const auto& [mesh, curvature] : {std::pair{meshes::make_sphere(1280), 1.0},
                                        {testing::graded_sphere(1280), 1.0},
                                        {testing::cubed_sphere(864), 1.0},
                                        {meshes::make_torus(1000, 2.0, 0.7), 1.0 / 0.7},
                                        {meshes::make_box(900, {1.0, 2.0, 1.5}), 0.0}}) {
    const Panels panels = make_panels(mesh);
    double largest = 0.0;
    for (const double radius : panels.radius) largest = std::max(largest, panel_size(radius));
    const double of_strips = std::pow(curvature * largest, 3) / 288.0;
    for (const double asked : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const double tolerance = asked + of_strips;
      PanelLayers layers(panels, {asked});
      const std::vector<double> row_sum =
          layers.apply(Layer::double_layer, std::vector<double>(panels.size(), 1.0));
      double squares = 0.0;
      for (const double value : row_sum) squares += (value + 0.5) * (value + 0.5);
      EXPECT_LE(std::sqrt(squares / static_cast<double>(panels.size())), tolerance)
          << mesh.source << ' ' << panels.size() << " panels";
    }
  }
}

TEST(BoundaryOperator, MatchesDenseExactIntegrals) {
  const Panels panels = make_panels(meshes::make_sphere(720), PanelGeometry::flat);
  fmm::Options options;
  options.tolerance = 1e-8;
  options.gradient = true;
  options.dipoles = true;
  PanelLayers layers(panels, {1e-6}, options);
  std::vector<double> x;
  for (const Vec3d& c : panels.centroid) x.push_back(1.0 + c.x - 2.0 * c.y * c.z);
  const std::vector<double> s = layers.apply(Layer::single_layer, x),
                            d = layers.apply(Layer::double_layer, x),
                            k = layers.apply(Layer::adjoint_double_layer, x);
  // Strengths are linear on panels. Exact integrals replace the nodes' sums, in K' those of the
  // constant part alone.
  const PanelNodes& nodes = layers.discretization.panel_nodes();
  std::vector<double> components(2 * panels.size());
  make_cpu_backend()
      ->make_sparse(strength_gradients(panels, constant_if_cut(nodes)))
      ->add(1.0, x.data(), components.data());
  const auto gradient = [&](std::size_t j) {
    const Tangents along(panels.normal[j]);
    return components[2 * j] * along.t1 + components[2 * j + 1] * along.t2;
  };
  for (std::size_t i = 0; i < panels.size(); i += 7) {
    constexpr double factor = 1.0 / (4.0 * std::numbers::pi);
    const Vec3d& point = panels.centroid[i];
    double single = 0.0, dbl = 0.0, adjoint = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      const auto integrals = integrate_panel<all_integrals>(panels.shape[j], point, i == j);
      const Vec3d middle = nodes.middle(j);
      const PanelMoments moments = panel_moments(panels.shape[j], point, i == j, middle);
      PanelIntegrals<double> linear;
      for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node) {
        add_point<all_integrals>(
            point - nodes.points.on_host()[node], nodes.normals.on_host()[node],
            nodes.weights.on_host()[node] * dot(gradient(j), nodes.points.on_host()[node] - middle),
            linear);
      }
      single += factor * (x[j] * integrals.single + dot(gradient(j), moments.single));
      dbl += factor * (x[j] * integrals.dbl + dot(gradient(j), moments.dbl));
      adjoint += factor * dot(panels.normal[i], x[j] * integrals.grad_single + linear.grad_single);
    }
    // Quadrature 1e-6 of the operators' size (about one) in the mean, ten times that at single
    // points.
    EXPECT_NEAR(s[i], single, 1e-5);
    EXPECT_NEAR(d[i], dbl, 1e-5);
    EXPECT_NEAR(k[i], adjoint, 1e-5);
  }
  EXPECT_LE(layers.sampled_error(Layer::single_layer, x, 100), 1e-8);
}

TEST(FarFieldCheck, SamplesARelativeError) {
  const Panels panels = make_panels(meshes::make_sphere(720));
  PanelLayers layers(panels, {1e-3}, {.tolerance = 1e-3, .direct_pairs = 0});
  std::vector<double> x(panels.size(), 1.0);
  const double sampled = layers.sampled_error(Layer::single_layer, x, 100);
  EXPECT_GT(sampled, 0.0);
  EXPECT_LE(sampled, 1e-3);
  for (double& each : x) each = 1024.0;
  EXPECT_EQ(layers.sampled_error(Layer::single_layer, x, 100), sampled);
}

TEST(BoundaryOperator, SumsIntoItsResult) {
  const Panels panels = make_panels(meshes::make_sphere(80));
  PanelLayers layers(panels);
  const std::vector<double> x(panels.size(), 1.0);
  const std::vector<double> once = layers.apply(Layer::single_layer, x);
  std::vector<double> y(panels.size(), 3.0);
  layers.of(Layer::single_layer).add(-2.0, x.data(), y.data());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], 3.0 - 2.0 * once[i], 1e-14);
  EXPECT_TRUE(layers.layers.has_near(Layer::single_layer));
  layers.layers.release(Layer::single_layer);
  EXPECT_FALSE(layers.layers.has_near(Layer::single_layer));
}

/// Equations that share passes of the sums in every way, with diagonals of either kind.
class Equations : public ::testing::Test {
 protected:
  const Panels panels = make_panels(testing::graded_sphere(320));
  const std::size_t n = panels.size();
  const fmm::Options accurate{.method = fmm::Method::direct, .gradient = true, .dipoles = true};
  PanelLayers layers{panels, {}, accurate};

  std::vector<double> random(unsigned seed) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> values(n);
    for (double& value : values) value = uniform(generator);
    return values;
  }
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  static std::vector<double> product(const Diagonal& d, std::vector<double> x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] *= d.factor * (d.is_uniform() ? 1.0 : d.values[i]);
    return x;
  }

  std::vector<Equation> equations() const {
    using enum Layer;
    const Diagonal a{.factor = -0.7}, b{.factor = 1.5, .values = random(1)},
        c{.factor = 1.0, .values = random(2)};
    return {{{{single_layer, a}, {double_layer, b}}, a},                // two strengths, one result
            {{{single_layer, b, a}, {adjoint_double_layer, b, c}}, b},  // one strength, two results
            {{{double_layer, {}, c}, {hypersingular, {}, a}}},
            {{{adjoint_double_layer, a, c}, {hypersingular, b, c}, {single_layer, a, c}}},
            {{{single_layer, b}, {single_layer, c, b}, {double_layer, {.factor = 0.0}}}},
            {{}, c}};
  }
};

TEST_F(Equations, AreSumsOfTheirTerms) {
  const std::vector<double> x = random(7);
  for (const Equation& equation : equations()) {
    std::vector<double> expected = product(equation.jump, x);
    for (const Term& term : equation.terms) {
      const std::vector<double> one =
          product(term.left, layers.apply(term.layer, product(term.right, x)));
      for (std::size_t i = 0; i < n; ++i) expected[i] += one[i];
    }
    const std::vector<double> found = layers.apply(equation, x);
    // Rounding of sums over 10^3 terms, of entries up to 1/size^3 in the hypersingular layer.
    const double scale = std::sqrt(dot(expected, expected));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12 * scale);
  }
}

TEST_F(Equations, HaveTransposes) {
  const std::vector<double> x = random(8), z = random(9);
  for (const Equation& equation : equations()) {
    BoundaryOperator a = layers.of(equation);
    std::vector<double> ax(n, 0.0), az(n, 0.0), twice(2 * n, 0.0);
    a.add(1.0, x.data(), ax.data());
    a.add_transposed(1.0, z.data(), az.data());
    // z.(A x) = (A^T z).x, up to the rounding of 10^5 products.
    const double scale = std::sqrt(dot(ax, ax) * dot(z, z)) + std::sqrt(dot(az, az) * dot(x, x));
    EXPECT_NEAR(dot(z, ax), dot(az, x), 1e-12 * scale);
    std::vector<double> both = z;
    both.insert(both.end(), x.begin(), x.end());
    a.add_transposed(2.0, both.data(), twice.data(), 2);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(twice[i], 2.0 * az[i], 1e-12 * scale);
  }
}

TEST_F(Equations, OfTheTreeMatchDirectSums) {
  fmm::Options options = accurate;
  options.method = fmm::Method::fmm;
  options.tolerance = 1e-9;
  options.direct_pairs = 0;
  PanelLayers tree(panels, {}, options);
  const std::vector<double> x = random(10);
  for (const Equation& equation : equations()) {
    const std::vector<double> exact = layers.apply(equation, x), found = tree.apply(equation, x);
    double error = 0.0;
    for (std::size_t i = 0; i < n; ++i) error += std::pow(found[i] - exact[i], 2);
    // The far field's promise, times the share that it has of the whole.
    EXPECT_LE(std::sqrt(error), 1e-8 * std::sqrt(dot(exact, exact)));
  }
}

}  // namespace
}  // namespace rankine::bem
