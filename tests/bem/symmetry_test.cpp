// Parts of bodies on symmetry planes against the whole ones, and against exact solutions.
#include "rankine/meshes/symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;

/// An ellipsoid of warped quadrilaterals, or of triangles without a pattern, symmetric about all
/// axes.
meshes::SurfaceMesh ellipsoid(bool triangles, const std::vector<int>& axes) {
  meshes::SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(384), axes);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-0.04, 0.04);
  for (Vec3d& p : mesh.nodes) {
    Vec3d moved = p;
    for (int axis = 0; axis < 3; ++axis)
      moved[axis] += std::abs(p[axis]) > 1e-9 ? uniform(generator) * p[axis] : 0.0;
    p = normalized(moved);
    p = {1.3 * p.x, 0.9 * p.y, 0.8 * p.z};
  }
  if (!triangles) return mesh;
  meshes::SurfaceMesh split = mesh;
  split.elements.clear();
  split.patch.clear();
  for (const meshes::Element& e : mesh.elements) {
    split.elements.push_back({e[0], e[1], e[2], -1});
    split.elements.push_back({e[0], e[2], e[3], -1});
  }
  split.patch.assign(split.elements.size(), 0);
  return split;
}

struct Setting {
  const char* name;
  std::vector<meshes::SymmetryPlane> planes;
  Vec3d stream;
  bool triangles;
  PanelGeometry geometry;
  Formulation formulation;
  fmm::Method method;
};

std::vector<int> axes_of(const Setting& s) {
  std::vector<int> axes;
  for (const meshes::SymmetryPlane& plane : s.planes) axes.push_back(plane.axis);
  return axes;
}

FlowOptions options_of(const Setting& s) {
  FlowOptions options;
  options.formulation = s.formulation;
  options.gmres.tolerance = 1e-12;
  options.fmm = {.method = s.method, .tolerance = 1e-11, .direct_pairs = 0};
  return options;
}

class PartAndWhole : public ::testing::TestWithParam<Setting> {};

/// Far fields differ by their tolerance, 1e-11, solutions by that times the conditioning.
constexpr double same = 1e-8;

TEST_P(PartAndWhole, AreTheSameFlowAndField) {
  const Setting& s = GetParam();
  const Symmetry symmetry(s.planes);
  const meshes::SurfaceMesh mesh = ellipsoid(s.triangles, axes_of(s));
  const FlowProblem part{.panels = make_panels(mesh, s.geometry, symmetry), .stream = s.stream};
  const FlowProblem whole{.panels = make_panels(testing::with_images(mesh, symmetry), s.geometry),
                          .stream = s.stream};
  const auto n = part.panels.size();
  const auto backend = make_cpu_backend();
  const Solution half = solve(part, options_of(s), *backend),
                 full = solve(whole, options_of(s), *backend);
  ASSERT_TRUE(half.converged());
  ASSERT_TRUE(full.converged());
  EXPECT_EQ(part.panels.curves.curved * static_cast<std::size_t>(symmetry.images()),
            whole.panels.curves.curved);
  for (std::size_t k = 0; k < whole.panels.size(); ++k) {
    const std::size_t i = k % n;
    const int image = static_cast<int>(k / n);
    const double sign = symmetry.sign(image);
    EXPECT_NEAR(norm(whole.panels.centroid[k] - symmetry.point(image, part.panels.centroid[i])),
                0.0, 1e-12);
    EXPECT_NEAR(full.phi[k], sign * half.phi[i], same);
    EXPECT_NEAR(norm(full.velocity[k] - sign * symmetry.vector(image, half.velocity[i])), 0.0,
                10 * same);
    EXPECT_NEAR(full.pressure[k], half.pressure[i], 10 * same);
  }
  const double images = symmetry.images();
  EXPECT_NEAR(images * enclosed_volume(part.panels), enclosed_volume(whole.panels), 1e-12);
  EXPECT_NEAR(testing::added_mass_coefficient(part, half),
              testing::added_mass_coefficient(whole, full), same);
  // Inside the body and out, next to the planes but not on them, where panels of both sides are
  // equally close.
  std::vector<Vec3d> points;
  std::mt19937 generator(5);
  for (int k = 0; k < 400; ++k) points.push_back(testing::random_point(generator, 1.6));
  for (int k = 0; k < 40; ++k) points.push_back(testing::random_point(generator, 20.0));
  for (int k = 0; k < 40; ++k) {
    Vec3d p = testing::random_point(generator, 1.6);
    p[s.planes[static_cast<std::size_t>(k) % s.planes.size()].axis] = (k % 2 == 0 ? 2e-2 : -2e-2);
    points.push_back(p);
  }
  const FieldOptions options{.fmm = options_of(s).fmm};
  const Field of_part = evaluate_field(part, half, points, options, *backend),
              of_whole = evaluate_field(whole, full, points, options, *backend);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(of_part.inside[i], of_whole.inside[i]);
    EXPECT_NEAR(of_part.phi[i], of_whole.phi[i], same) << i;
    EXPECT_NEAR(norm(of_part.velocity[i] - of_whole.velocity[i]), 0.0, 10 * same) << i;
  }
}

TEST_P(PartAndWhole, HaveTheSameFluxesWherePotentialsAreGiven) {
  const Setting& s = GetParam();
  const Symmetry symmetry(s.planes);
  const meshes::SurfaceMesh mesh = ellipsoid(s.triangles, axes_of(s));
  FlowProblem part{.panels = make_panels(mesh, s.geometry, symmetry), .stream = {}},
      whole{.panels = make_panels(testing::with_images(mesh, symmetry), s.geometry), .stream = {}};
  const std::size_t n = part.panels.size();
  for (FlowProblem* problem : {&part, &whole}) {
    problem->has_pressure = false;
    problem->conditions.known.assign(problem->panels.size(), Known::potential);
  }
  for (const Vec3d& x : part.panels.centroid) part.potential.push_back(1.0 + x.x * x.y + x.z);
  for (std::size_t k = 0; k < whole.panels.size(); ++k)
    whole.potential.push_back(symmetry.sign(static_cast<int>(k / n)) * part.potential[k % n]);
  const auto backend = make_cpu_backend();
  const Solution half = solve(part, options_of(s), *backend),
                 full = solve(whole, options_of(s), *backend);
  for (std::size_t k = 0; k < whole.panels.size(); ++k) {
    EXPECT_NEAR(full.flux[k], symmetry.sign(static_cast<int>(k / n)) * half.flux[k % n],
                10 * same * (1.0 + std::abs(full.flux[k])));
  }
}

const meshes::SymmetryPlane wall_x{0, 0.0, 1.0}, wall_y{1, 0.0, 1.0}, wall_z{2, 0.0, 1.0},
    zero_x{0, 0.0, -1.0}, zero_y{1, 0.0, -1.0}, zero_z{2, 0.0, -1.0};

std::vector<Setting> settings() {
  using enum PanelGeometry;
  using enum Formulation;
  using enum fmm::Method;
  return {
      {"half_green_curved_triangles", {wall_y}, {1, 0, 0.4}, true, curved, green, fmm},
      {"half_source_curved_quadrilaterals", {wall_z}, {0.3, 1, 0}, false, curved, source, fmm},
      {"half_green_flat_quadrilaterals", {zero_z}, {0, 0, 1}, false, flat, green, treecode},
      {"half_source_curved_triangles", {zero_y}, {0, 1, 0}, true, curved, source, direct},
      {"quarter_green_curved_quads", {wall_y, zero_z}, {0, 0, 1}, false, curved, green, fmm},
      {"quarter_source_flat_triangles", {wall_x, wall_z}, {0, 1, 0}, true, flat, source, treecode},
      {"eighth_green_curved", {zero_x, wall_y, wall_z}, {1, 0, 0}, true, curved, green, fmm},
      {"eighth_source_quads", {wall_x, zero_y, wall_z}, {0, 1, 0}, false, curved, source, direct}};
}
INSTANTIATE_TEST_SUITE_P(Planes, PartAndWhole, ::testing::ValuesIn(settings()),
                         [](const auto& row) { return std::string(row.param.name); });

/// Both of all layers: A x of the part is that of the whole with x continued by the signs.
TEST(Symmetry, LayersAndTheirTransposesFold) {
  const Symmetry symmetry({wall_x, zero_z});
  const meshes::SurfaceMesh mesh = ellipsoid(true, {0, 2});
  const Panels part = make_panels(mesh, PanelGeometry::curved, symmetry),
               whole = make_panels(testing::with_images(mesh, symmetry));
  testing::PanelLayers folded(part), full(whole);
  const std::size_t n = part.size();
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x(n), w(n), continued(whole.size());
  for (double& each : x) each = uniform(generator);
  for (double& each : w) each = uniform(generator);
  for (std::size_t k = 0; k < continued.size(); ++k)
    continued[k] = symmetry.sign(static_cast<int>(k / n)) * x[k % n];
  for (const Layer layer : {Layer::single_layer, Layer::double_layer, Layer::adjoint_double_layer,
                            Layer::hypersingular}) {
    const std::vector<double> y = folded.apply(layer, x), expected = full.apply(layer, continued);
    double largest = 0.0;
    for (const double each : expected) largest = std::max(largest, std::abs(each));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(y[i], expected[i], 1e-12 * largest);
    // w.A x = x.A^T w
    std::vector<double> transposed(n, 0.0);
    folded.of(layer).add_transposed(1.0, w.data(), transposed.data());
    double left = 0.0, right = 0.0, size = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      left += w[i] * y[i];
      right += x[i] * transposed[i];
      size += std::abs(w[i] * y[i]);
    }
    EXPECT_NEAR(left, right, 1e-12 * size);
  }
}

TEST(Symmetry, SurfaceGradientsSeeBeyondThePlane) {
  // f = x^2 + z y: odd in y where z's factor is odd, so taken as even in y: f = x^2 + z y^2.
  const Symmetry symmetry({wall_y});
  const meshes::SurfaceMesh mesh = ellipsoid(false, {1});
  const Panels part = make_panels(mesh, PanelGeometry::curved, symmetry),
               whole = make_panels(testing::with_images(mesh, symmetry));
  const auto f = [](const Vec3d& p) { return p.x * p.x + p.z * p.y * p.y; };
  std::vector<double> of_part, of_whole;
  for (const Vec3d& p : part.centroid) of_part.push_back(f(p));
  for (const Vec3d& p : whole.centroid) of_whole.push_back(f(p));
  const SurfaceGradient some = surface_gradient(PanelNeighbourhood(part), of_part),
                        all = surface_gradient(PanelNeighbourhood(whole), of_whole);
  for (std::size_t i = 0; i < part.size(); ++i)
    EXPECT_NEAR(norm(some.gradient[i] - all.gradient[i]), 0.0, 1e-11);
}

/// Added mass of a sphere near a plane by the energy of the part.
double near_wall(double height, double sign, const Vec3d& stream, std::int64_t panels) {
  const Symmetry symmetry({{2, 0.0, sign}});
  const FlowProblem problem{
      .panels = make_panels(meshes::make_sphere(panels, 1.0, {0.0, 0.0, height}),
                            PanelGeometry::curved, symmetry),
      .stream = stream};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  EXPECT_TRUE(solution.converged());
  return testing::added_mass_coefficient(problem, solution);
}

TEST(Symmetry, ASphereNearAWallHasTheAddedMassOfTheSeries) {
  // Along the wall, centre at the height h: two equal spheres side by side [L32 sec. 99].
  for (const auto& [height, along] : {std::pair{10.0, 0.5000937559},
                                      {3.0, 0.5034812350},
                                      {2.0, 0.5118380344},
                                      {1.5, 0.5286181351},
                                      {1.2, 0.5587511438},
                                      {1.1, 0.5799202772}})
    EXPECT_NEAR(near_wall(height, 1.0, {1.0, 0.0, 0.0}, 5120), along, 0.003 * along) << height;
}

TEST(Symmetry, AHalfSphereUnderAPlaneOfZeroPotentialHeavesAsTheSphere) {
  // phi = -z/(2 r^3) is zero on z = 0: k = 1/2.
  const Symmetry symmetry({zero_z});
  const meshes::SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(3456), {2});
  const FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::curved, symmetry),
                            .stream = {0.0, 0.0, 1.0}};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  EXPECT_NEAR(testing::added_mass_coefficient(problem, solution), 0.5, 0.5e-3);
}

/// The potential of the disturbance is zero on the plane, as if the image moved the other way:
/// three radii from it k = (1 - 3/16 (1/3)^3)/2, to the next power.
TEST(Symmetry, AStreamMayRunAlongAPlaneOfZeroPotentialThatNoPanelMeets) {
  const Symmetry symmetry({zero_z});
  meshes::SurfaceMesh mesh = testing::cubed_sphere(3456);
  for (Vec3d& x : mesh.nodes) x.z += 3.0;
  const FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::curved, symmetry),
                            .stream = {1.0, 0.0, 0.0}};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  EXPECT_NEAR(testing::added_mass_coefficient(problem, solution), 0.5 * (1.0 - 3.0 / 16.0 / 27.0),
              0.5e-3);
  const FlowProblem half{
      .panels = make_panels(testing::positive_part(testing::cubed_sphere(384), {2}),
                            PanelGeometry::curved, symmetry),
      .stream = {1.0, 0.0, 0.0}};
  EXPECT_THROW(solve(half, {}, *backend), InputError);
}

TEST(Symmetry, RefusesStreamsThatPlanesForbid) {
  const auto backend = make_cpu_backend();
  const auto message = [](const meshes::SymmetryPlane& plane, const Vec3d& stream) {
    return testing::answer_of<InputError>([&] { require_compatible(Symmetry({plane}), stream); });
  };
  EXPECT_EQ(message(wall_y, {1, 0, 2}), "accepted");
  EXPECT_EQ(message(zero_y, {0, 3, 0}), "accepted");
  EXPECT_TRUE(testing::says(message(wall_y, {1, 0.5, 2}), "y = 0.5 through"));
  EXPECT_TRUE(testing::says(message(zero_y, {0, 3, 2}), "z = 2 along"));
  const FlowProblem problem{
      .panels = make_panels(ellipsoid(true, {1}), PanelGeometry::curved, Symmetry({wall_y})),
      .stream = {0.0, 1.0, 0.0}};
  EXPECT_THROW(solve(problem, {}, *backend), InputError);
}

/// The targets are numbered image by image. If panels of a sheet share an unknown, the image of a
/// point can have the number of one of these panels. It is not the point of that panel, even if the
/// solid angle of the panel there is almost 2 pi. The order of panels that share an unknown does
/// not matter.
TEST(SymmetricSources, AnImageIsNotThePointOfThePanelWithItsNumber) {
  const Symmetry plane({{.axis = 1, .place = 0.0, .sign = 1.0}});
  const meshes::SurfaceMesh body =
      testing::moved(meshes::make_box(96, {1.0, 1.0, 1.0}), {0.0, 0.52, 0.0});
  const std::size_t n = body.elements.size();
  const std::vector<Layer> layers{Layer::single_layer, Layer::double_layer};
  const auto backend = make_cpu_backend();
  // The sheet is a smaller box: half as far from the plane as the body, 0.03 m from its image.
  const auto entries = [&](bool equal_numbers) {
    meshes::SurfaceMesh sheet = testing::stretched(body, {1.1, 0.5, 1.1});
    // The image of point i has the number n + 1 + i, panel k of the sheet the number n + k.
    if (equal_numbers) std::ranges::rotate(sheet.elements, sheet.elements.end() - 1);
    const SourceSet sources{.panels = joined(make_panels(body, PanelGeometry::flat, plane),
                                             make_panels(sheet, PanelGeometry::flat, plane)),
                            .boundary = n,
                            .of_sheet = std::vector<std::int32_t>(n, 0),
                            .point = {Vec3d{0.0, 5.0, 0.0}},
                            .normal = {Vec3d{0.0, 1.0, 0.0}},
                            .strip = std::vector<std::int8_t>(n, -1),
                            .edges = {}};
    return integrate_near(SourcePanels(sources, {}, *backend), layers);
  };
  const std::vector<SparseRows> expected = entries(false), found = entries(true);
  // Of the integrals of up to n panels and of the sums over their nodes, each at most 2 pi.
  const double rounding = 4.0 * std::numbers::pi * static_cast<double>(n) * 1e-15;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    ASSERT_EQ(found[l].pattern->columns, expected[l].pattern->columns);
    for (std::size_t k = 0; k < found[l].values.size(); ++k)
      EXPECT_NEAR(found[l].values[k], expected[l].values[k], rounding) << l << " " << k;
  }
}

}  // namespace
}  // namespace rankine::bem
