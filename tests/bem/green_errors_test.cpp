// Layers at sample points against boundary operators, and the errors that Green's identity shows
// against those of the exact solution.
#include "rankine/bem/flow/green_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/layers/sampled_layers.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;

TEST(SampledLayers, AreThoseOfTheBoundaryOperators) {
  const std::vector<Symmetry> all{Symmetry{}, Symmetry({{1, 0.0, 1.0}}),
                                  Symmetry({{0, 0.0, -1.0}, {1, 0.0, 1.0}})};
  for (const Symmetry& symmetry : all) {
    std::vector<int> axes;
    for (const auto& plane : symmetry.planes()) axes.push_back(plane.axis);
    const Panels panels =
        make_panels(testing::stretched(testing::positive_part(testing::cubed_sphere(600), axes),
                                       {1.3, 0.9, 0.5}),
                    PanelGeometry::curved, symmetry);
    testing::PanelLayersOf<testing::ConstantNearby> whole(panels);
    std::vector<double> charge, doublet;
    for (const Vec3d& x : panels.centroid) {
      charge.push_back(1.0 + x.x - 0.5 * x.y * x.z);
      doublet.push_back(0.3 + x.z + x.x * x.x);
    }
    const auto single = whole.apply(Layer::single_layer, charge),
               dbl = whole.apply(Layer::double_layer, doublet);
    std::vector<std::size_t> at;
    for (std::size_t i = 3; i < panels.size(); i += 7) at.push_back(i);
    const SampledLayers sampled(panels, {}, at, *whole.backend);
    const std::vector<Densities> given{{charge, {}}, {charge, doublet}};
    const std::vector<double> found = sampled(given);
    ASSERT_EQ(found.size(), 2 * at.size());
    for (std::size_t s = 0; s < at.size(); ++s) {
      EXPECT_NEAR(found[s], single[at[s]], 1e-12);
      EXPECT_NEAR(found[at.size() + s], single[at[s]] + dbl[at[s]], 1e-12);
    }
  }
}

TEST(SampledLayers, OfEvenDensitiesDisregardTheSignsOfPlanes) {
  // D 1 = -1/2 on a closed surface, of which half is given.
  const Panels panels = make_panels(testing::positive_part(testing::cubed_sphere(600), {0}),
                                    PanelGeometry::curved, Symmetry({{0, 0.0, -1.0}}));
  const auto backend = make_cpu_backend();
  const SampledLayers sampled(panels, {}, {0, 5, 77}, *backend);
  const std::vector<Densities> given{{{}, std::vector<double>(panels.size(), 1.0), true}};
  for (const double each : sampled(given)) EXPECT_NEAR(each, -0.5, 1e-4);
}

/// The error of the potential and of its gradient, root mean squares.
std::pair<double, double> errors_of(const FlowProblem& problem, const Solution& solution,
                                    const SphereFlow& exact) {
  double potential = 0.0, gradient = 0.0, area = 0.0;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const SurfaceState state = exact.on_surface(problem.panels.centroid[i]);
    const double weight = problem.panels.area[i];
    const Vec3d difference = solution.velocity[i] - state.velocity;
    potential += weight * std::pow(solution.phi[i] - state.phi, 2.0);
    gradient += weight * dot(difference, difference);
    area += weight;
  }
  return {std::sqrt(potential / area), std::sqrt(gradient / area)};
}

TEST(GreenErrors, OfPartsAreThoseOfTheWhole) {
  struct Part {
    std::vector<int> axes;
    std::vector<meshes::SymmetryPlane> planes;
  };
  // A stream along x crosses planes x = 0, where the potential is zero.
  const auto backend = make_cpu_backend();
  for (const Part& part :
       {Part{{}, {}}, Part{{2}, {{2, 0.0, 1.0}}}, Part{{1, 2}, {{1, 0.0, 1.0}, {2, 0.0, 1.0}}},
        Part{{0, 1, 2}, {{0, 0.0, -1.0}, {1, 0.0, 1.0}, {2, 0.0, 1.0}}}}) {
    SCOPED_TRACE(part.planes.size());
    const FlowProblem problem{
        .panels = make_panels(testing::positive_part(testing::cubed_sphere(1536), part.axes),
                              PanelGeometry::curved, Symmetry(part.planes)),
        .stream = {1, 0, 0}};
    const Solution solution = solve(problem, {}, *backend);
    const GreenErrors found = green_errors(problem, solution, *backend);
    const auto [potential, gradient] = errors_of(problem, solution, SphereFlow{problem.stream});
    EXPECT_NEAR(found.amplification, 1.5, 0.2) << "phi = x / 2, S q = -x / 3";
    EXPECT_GE(found.potential.mean, potential / 3.0);
    EXPECT_LE(found.potential.mean, potential * 3.0);
    EXPECT_GE(found.gradient.mean, gradient / 3.0);
    EXPECT_LE(found.gradient.mean, gradient * 3.0);
    EXPECT_GE(found.potential.largest, found.potential.mean);
    EXPECT_GE(found.gradient.largest, found.gradient.mean);
  }
}

// Flat panels have other normals than the surface: without the layer of (U + v - V).(m - n) the
// estimate of the gradient is 0.6 of the error.
TEST(GreenErrors, OfFlatPanelsAreThoseOfTheSphere) {
  const auto backend = make_cpu_backend();
  const FlowProblem problem{
      .panels = make_panels(testing::jittered_sphere(1280), PanelGeometry::flat),
      .stream = {1, 0, 0}};
  const Solution solution = solve(problem, {}, *backend);
  const GreenErrors found = green_errors(problem, solution, *backend);
  const auto [potential, gradient] = errors_of(problem, solution, SphereFlow{problem.stream});
  EXPECT_GE(found.potential.mean, potential / 1.5);
  EXPECT_LE(found.potential.mean, potential * 1.5);
  EXPECT_GE(found.gradient.mean, gradient / 1.5);
  EXPECT_LE(found.gradient.mean, gradient * 1.5);
}

TEST(GreenErrors, DoNotDependOnThePlaceOfTheBody) {
  const auto backend = make_cpu_backend();
  const auto at = [&](const Vec3d& place) {
    const FlowProblem problem{
        .panels = make_panels(testing::moved(testing::jittered_sphere(500), place)),
        .stream = {0.3, -0.8, 0.5}};
    return green_errors(problem, solve(problem, {}, *backend), *backend);
  };
  const GreenErrors here = at({}), far = at({1e5, -2e5, 3e4});
  EXPECT_NEAR(far.potential.mean, here.potential.mean, 0.01 * here.potential.mean);
  EXPECT_NEAR(far.gradient.mean, here.gradient.mean, 0.01 * here.gradient.mean);
}

TEST(GreenErrors, AreNoneWhereNoFluxIsGiven) {
  const auto backend = make_cpu_backend();
  FlowProblem problem{.panels = make_panels(testing::jittered_sphere(500)), .has_pressure = false};
  problem.conditions.known.assign(problem.panels.size(), Known::potential);
  problem.potential.assign(problem.panels.size(), 1.0);
  const GreenErrors found = green_errors(problem, solve(problem, {}, *backend), *backend);
  EXPECT_EQ(found.potential.mean, 0.0);
  EXPECT_EQ(found.gradient.mean, 0.0);
}

}  // namespace
}  // namespace rankine::bem
