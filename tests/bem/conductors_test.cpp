// Capacitances against exact values: an ellipsoid, a torus, two spheres, spheres within one
// another.
#include "rankine/bem/electric/conductors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

constexpr double four_pi = 4.0 * std::numbers::pi;

/// Over 4 pi epsilon.
double capacitance_of_one(const meshes::SurfaceMesh& mesh, Formulation formulation) {
  const FlowProblem problem{.panels = make_panels(mesh)};
  const std::vector<std::int32_t> one(problem.panels.size(), 0);
  const Capacitance found =
      capacitance(problem.region(), one, 1, 2.5, testing::tight(formulation), *make_cpu_backend());
  EXPECT_TRUE(found.converged());
  return found(0, 0) / (four_pi * 2.5);
}

TEST(Capacitances, OfOneConductorAreExactAtSecondOrder) {
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    // 1/R_F(a^2, b^2, c^2), and the toroidal series (DLMF 14.19).
    const auto errors = [&](int panels) {
      return std::abs(
                 capacitance_of_one(meshes::make_ellipsoid(panels, {3.0, 2.0, 1.0}), formulation) /
                     1.966009200709 -
                 1.0) +
             std::abs(capacitance_of_one(meshes::make_torus(panels, 2.0, 1.0), formulation) /
                          2.4316704124535 -
                      1.0);
    };
    const double coarse = errors(320), fine = errors(1280);
    EXPECT_LE(fine, 4e-3);
    EXPECT_GE(testing::order(coarse, fine), 1.5);
  }
}

// Green's formula and the single layer find the same charges outside conductors, also beside the
// edges of a cube. The normal derivative of the layer is several per cent too small there.
TEST(Capacitances, AreAsGoodWithEitherFormulation) {
  struct Body {
    meshes::SurfaceMesh mesh;
    double exact, error;
  };
  const Body bodies[] = {{meshes::make_sphere(320), 1.0, 5e-4},
                         {meshes::make_box(384, {1.0, 1.0, 1.0}), 0.66067815409957, 1e-2}};
  for (const Body& body : bodies) {
    const double green = capacitance_of_one(body.mesh, Formulation::green),
                 source = capacitance_of_one(body.mesh, Formulation::source);
    EXPECT_NEAR(green, body.exact, body.error * body.exact);
    EXPECT_NEAR(source, body.exact, body.error * body.exact);
    EXPECT_NEAR(source, green, 0.2 * body.error * body.exact);
  }
}

// Singular at edges, geometry of few panels, quadrature on long ones. Where an error changes its
// sign with the number of panels, no estimate of its size is near it; no such case is here.
TEST(Capacitances, HaveErrorsLikeTheirEstimates) {
  constexpr double cube = 0.66067815409957;
  const auto box = [](int panels, meshes::PanelKind kind, double grading) {
    return meshes::make_box(panels, {1.0, 1.0, 1.0}, {}, kind, grading);
  };
  const auto stretched = [](int panels, const Vec3d& axes) {
    return testing::stretched(testing::jittered_sphere(panels), axes);
  };
  struct Body {
    meshes::SurfaceMesh mesh;
    double exact;
  };
  using enum meshes::PanelKind;
  const Body bodies[] = {{box(96, quadrilaterals, 1.0), cube},
                         {box(384, quadrilaterals, 1.0), cube},
                         {box(432, triangles, 1.0), cube},
                         {box(1536, quadrilaterals, 3.0), cube},
                         {stretched(300, {3.0, 2.0, 1.0}), 1.966009200709},
                         {stretched(1200, {3.0, 2.0, 1.0}), 1.966009200709},
                         {stretched(300, {10.0, 1.0, 1.0}), 3.324134179967},
                         {stretched(300, {1.0, 1.0, 0.1}), 0.676572746051},
                         {stretched(1200, {1.0, 1.0, 0.1}), 0.676572746051},
                         {meshes::make_sphere(320), 1.0}};
  for (const Body& body : bodies) {
    const FlowProblem problem{.panels = make_panels(body.mesh)};
    const std::vector<std::int32_t> one(problem.panels.size(), 0);
    const Capacitance found =
        capacitance(problem.region(), one, 1, 1.0, testing::tight(), *make_cpu_backend());
    const double error = std::abs(found(0, 0) - four_pi * body.exact),
                 estimate = found.errors.of(std::vector{1.0}, std::vector{1.0});
    EXPECT_GE(estimate, error / 3.0) << body.exact << ' ' << one.size();
    EXPECT_LE(estimate, 3.0 * error) << body.exact << ' ' << one.size();
  }
}

TEST(Capacitances, OfAGradedCubeTakeFewIterationsAtAnySize) {
  // Helsing and Perfekt (2012). Beside an edge the charge density is r^(-1/3). With m planes from a
  // face to the middle, panels at an edge have the width w ~ m^(-3), and the row of them the share
  // w^(2/3) of the charge. That charge on itself is what constant densities misrepresent there, a
  // share w^(4/3) ln(1/w) of the energy.
  for (const int m : {10, 14, 16}) {
    const FlowProblem problem{
        .panels = make_panels(meshes::make_box(24 * m * m, {1.0, 1.0, 1.0}, {},
                                               meshes::PanelKind::quadrilaterals, 3.0))};
    ASSERT_EQ(problem.panels.size(), static_cast<std::size_t>(24 * m * m));
    const std::vector<std::int32_t> one(problem.panels.size(), 0);
    FlowOptions options;
    options.gmres.tolerance = 1e-6;
    const Capacitance found =
        capacitance(problem.region(), one, 1, 1.0, options, *make_cpu_backend());
    ASSERT_TRUE(found.converged()) << m;
    EXPECT_LE(found.gmres.front().iterations, 12) << m;
    const double exact = 0.66067815409957, edges = 3.0 * std::log(m) / std::pow(m, 4);
    EXPECT_NEAR(found(0, 0) / four_pi, exact, exact * edges) << m;
  }
}

TEST(Capacitances, OfTwoSpheresAreThoseOfTheirImages) {
  // Distance 3 between centres of unit spheres: total charge at 1 and 1 V, that of one at 1 and -1
  // V.
  meshes::SurfaceMesh left = meshes::make_sphere(1280, 1.0, {-1.5, 0.0, 0.0});
  const FlowProblem problem{.panels = make_panels(testing::joined(
                                left, meshes::make_sphere(1280, 1.0, {1.5, 0.0, 0.0})))};
  std::vector<std::int32_t> conductor;
  for (const Vec3d& x : problem.panels.centroid) conductor.push_back(x.x > 0.0 ? 1 : 0);
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    const Capacitance found = capacitance(problem.region(), conductor, 2, 1.0,
                                          testing::tight(formulation), *make_cpu_backend());
    EXPECT_NEAR((found(0, 0) + 2.0 * found(0, 1) + found(1, 1)) / four_pi, 1.514408750092, 3e-3);
    EXPECT_NEAR((found(0, 0) - found(0, 1)) / four_pi, 1.535370508836, 3e-3);
    EXPECT_LE(found.asymmetry, 1e-4);
    // A floating sphere beside one at 1 V has no charge, and one with a charge its potential.
    const std::vector<std::optional<double>> given{1.0, std::nullopt};
    const std::vector<double> floating = potentials(found, given, std::vector{0.0, 0.0}, {});
    EXPECT_EQ(floating[0], 1.0);
    EXPECT_NEAR(found(1, 0) + found(1, 1) * floating[1], 0.0, 1e-12);
    const std::vector<double> charged = potentials(found, given, std::vector{0.0, 7.0}, {});
    EXPECT_NEAR(found(1, 0) + found(1, 1) * charged[1], 7.0, 1e-12);
    EXPECT_GT(floating[1], 0.2);  // about 1/3: its distance is three radii
    EXPECT_LT(floating[1], 0.4);
  }
}

TEST(Capacitances, OfConcentricSpheresAreTheShells) {
  // Between radii 1/2 and 1 the capacitance is 4 pi / (1/a - 1/b) = 4 pi, and no charge is left
  // over.
  meshes::SurfaceMesh island = meshes::make_sphere(1280, 0.5);
  FlowProblem problem{.panels = make_panels(testing::joined(
                          testing::turned_round(meshes::make_sphere(1280)), island)),
                      .domain = Domain::interior};
  std::vector<std::int32_t> conductor;
  for (const Vec3d& x : problem.panels.centroid) conductor.push_back(norm(x) < 0.75 ? 1 : 0);
  const Capacitance found =
      capacitance(problem.region(), conductor, 2, 1.0, testing::tight(), *make_cpu_backend());
  EXPECT_NEAR(found(0, 0) / four_pi, 1.0, 5e-3);
  EXPECT_NEAR(found(1, 1) / four_pi, 1.0, 5e-3);
  EXPECT_NEAR(found(0, 1) / four_pi, -1.0, 5e-3);
  const std::vector<std::optional<double>> none(2);
  EXPECT_THROW(potentials(found, none, std::vector{1.0, -1.0}, Domain::interior), InputError);
}

TEST(Capacitances, CheckTheirConductors) {
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(20))};
  const auto backend = make_cpu_backend();
  EXPECT_THROW(
      capacitance(problem.region(), std::vector<std::int32_t>(20, 1), 1, 1.0, {}, *backend),
      InputError);
  EXPECT_THROW(
      capacitance(problem.region(), std::vector<std::int32_t>(19, 0), 1, 1.0, {}, *backend),
      InputError);
}

TEST(ChargeErrors, AreTheRootOfTheSquaresOfTheirForms) {
  const ChargeErrors errors{{{{1.0, 2.0, 3.0, 4.0}, {0.0, 1.0, -1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}}};
  const std::vector<double> v{2.0, -1.0}, w{1.0, 3.0};
  EXPECT_DOUBLE_EQ(errors.of(v, w), std::hypot(2.0 * 7.0 - 15.0, 2.0 * 3.0 + 1.0));
}

}  // namespace
}  // namespace rankine::bem
