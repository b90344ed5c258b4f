// Dielectrics against exact solutions: spheres, shells, conductors, electrodes, half models.
#include "rankine/bem/electric/electric_regions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/electric_parts.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::ElectricPart;
using testing::order;
using testing::put_together;

constexpr double unit = 4.0 * std::numbers::pi * vacuum_permittivity;

FlowOptions tight_media() {
  FlowOptions options;
  options.gmres.tolerance = 1e-6;
  options.fmm.tolerance = 1e-7;
  options.error_samples = 0;
  return options;
}

meshes::SurfaceMesh sphere(int panels, double radius) {
  return testing::stretched(testing::jittered_sphere(panels), radius * Vec3d{1.0, 1.0, 1.0});
}

struct SolvedMedia {
  ElectricProblem problem;
  ElectricResponse response;
  ElectricSolution solution;

  explicit SolvedMedia(ElectricProblem of, std::vector<double> volts = {})
      : problem(std::move(of)), response(respond(problem, tight_media(), *make_cpu_backend())) {
    EXPECT_TRUE(response.capacitance.converged());
    solution = solve(problem, response, std::move(volts), tight_media(), *make_cpu_backend());
  }
  PotentialField at(const std::vector<Vec3d>& points) const {
    const auto backend = make_cpu_backend();
    return ElectricEvaluator(problem, solution, {.fmm = tight_media().fmm}, *backend).at(points);
  }
  ElectricLoads loads() const {
    return bem::loads(problem, solution, tight_media(), *make_cpu_backend());
  }
  double charge() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      sum += problem.panels.area[i] * solution.state.charge[i];
    return sum;
  }
  /// Over 4 pi.
  Vec3d dipole() const {
    Vec3d sum{};
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      sum += problem.panels.area[i] * solution.state.charge[i] / (4.0 * std::numbers::pi) *
             problem.panels.centroid[i];
    return sum;
  }
};

const Vec3d applied{0.3, -0.5, 0.8};

TEST(Dielectrics, ASphereInAFieldHasItsDipoleAndAUniformFieldWithin) {
  for (const double ratio : {0.01, 5.0, 1000.0}) {
    const double inner = 3.0 / (ratio + 2.0), polarizability = (ratio - 1.0) / (ratio + 2.0);
    const auto errors = [&](int panels) {
      ElectricProblem problem = put_together({{sphere(panels, 1.0), {-1, 1.0, ratio}}});
      problem.field = applied;
      const SolvedMedia found(std::move(problem));
      const PotentialField field = found.at({{0.2, 0.1, -0.4}, {0.9, 0.2, 0.3}});
      EXPECT_NEAR(found.loads().energy, -0.5 * unit * polarizability * dot(applied, applied),
                  2.5 / panels * unit * std::abs(polarizability));  // second order
      double worst = norm(found.dipole() - polarizability * applied) / std::abs(polarizability);
      for (const Vec3d& gradient : field.gradient)
        worst = std::max(worst, norm(gradient + inner * applied) / inner);
      for (const Vec3d& gradient : found.solution.gradient_inside)
        worst = std::max(worst, 0.5 * norm(gradient + inner * applied) / inner);
      return worst;
    };
    const double coarse = errors(320), fine = errors(1280);
    EXPECT_LE(fine, 3e-3) << ratio;
    EXPECT_GE(order(coarse, fine), 1.5) << ratio;
  }
}

TEST(Dielectrics, ACoatedSphereIsTheMixtureOfBoth) {
  // [J99 sec. 4.4], two surfaces: the field within the core and the dipole seen from afar.
  constexpr double f = 0.6 * 0.6 * 0.6;
  for (const auto& [shell, core] :
       {std::pair{3.0, 0.2}, std::pair{0.05, 80.0}, std::pair{1000.0, 1.0}}) {
    ElectricProblem problem =
        put_together({{sphere(720, 1.0), {-1, 1.0, shell}}, {sphere(500, 0.6), {0, shell, core}}});
    problem.field = applied;
    const SolvedMedia found(std::move(problem));
    const double below =
        (shell + 2.0) * (core + 2.0 * shell) + 2.0 * f * (shell - 1.0) * (core - shell);
    const double dipole =
        ((shell - 1.0) * (core + 2.0 * shell) + f * (1.0 + 2.0 * shell) * (core - shell)) / below;
    const double inner = 9.0 * shell / below;
    EXPECT_LE(norm(found.dipole() - dipole * applied), 4e-3 * std::abs(dipole));
    EXPECT_LE(norm(found.at({{0.2, 0.1, -0.3}}).gradient[0] + inner * applied), 6e-3 * inner);
    EXPECT_NEAR(found.charge(), 0.0, 1e-3);
  }
}

TEST(Dielectrics, AConductorInAShellHasTheCapacitanceOfBoth) {
  // V = Q / (4 pi eps_0) ((1/a - 1/b) / shell + 1 / (outer b)), a = 1/2, b = 1.
  for (const auto& [outer, shell] : {std::pair{3.0, 0.1}, std::pair{1.0, 1000.0}}) {
    ElectricProblem problem = put_together(
        {{sphere(720, 1.0), {-1, outer, shell}}, {sphere(720, 0.5), {0, shell, 0.0}, 0}});
    problem.permittivity = outer;
    const SolvedMedia found(std::move(problem), {1.0});
    const double charge = 1.0 / (1.0 / shell + 1.0 / outer);
    EXPECT_NEAR(found.response.capacitance(0, 0), unit * charge, 2e-3 * unit * charge);
    const Vec3d within{0.5, 0.4, 0.4}, outside{0.0, 1.5, -1.0};
    const PotentialField field = found.at({within, outside, {0.1, 0.2, 0.1}});
    EXPECT_EQ(field.inside, (std::vector<std::uint8_t>{0, 0, 1}));
    const auto radial = [&](const Vec3d& x, double medium) {
      return charge / (medium * dot(x, x) * norm(x)) * x;
    };
    const Vec3d e_within = radial(within, shell), e_outside = radial(outside, outer);
    EXPECT_LE(norm(field.gradient[0] + e_within), 4e-3 * norm(e_within));
    EXPECT_LE(norm(field.gradient[1] + e_outside), 4e-3 * norm(e_outside));
  }
}

TEST(Dielectrics, LayersBetweenSpheresAreCapacitorsInSeries) {
  // Radii 1/2 and 2, a layer of 8 up to 1 and of 2 beyond, inside a closed conductor.
  ElectricProblem problem = put_together({{sphere(720, 2.0), {-1, 2.0, 0.0}, 0},
                                          {sphere(500, 1.0), {-1, 2.0, 8.0}},
                                          {sphere(320, 0.5), {1, 8.0, 0.0}, 1}});
  problem.permittivity = 2.0;
  problem.domain = Domain::interior;
  problem.enclosing = 0;
  for (std::size_t e = 0; e < problem.body.size(); ++e) {
    if (problem.body[e] == 0) meshes::reverse_element(problem.mesh, e);
  }
  problem.panels = make_panels(problem.mesh);
  const SolvedMedia found(std::move(problem), {0.0, 1.0});
  const double exact = unit / ((2.0 - 1.0) / 8.0 + (1.0 - 0.5) / 2.0);
  EXPECT_NEAR(found.response.capacitance(1, 1), exact, 5e-3 * exact);
  EXPECT_NEAR(found.response.capacitance(0, 0), exact, 1e-2 * exact);
  EXPECT_NEAR(found.response.capacitance(0, 1), -exact, 1e-2 * exact);
  const Vec3d x{1.0, 0.9, -0.4};
  const Vec3d e = exact / unit / (2.0 * dot(x, x) * norm(x)) * x;
  EXPECT_LE(norm(found.at({x}).gradient[0] + e), 1e-2 * norm(e));
}

TEST(Dielectrics, AChargeDrawsASphereByItsImages) {
  constexpr double distance = 2.0;
  for (const double ratio : {0.2, 1000.0}) {
    ElectricProblem problem = put_together({{sphere(1280, 1.0), {-1, 1.0, ratio}}});
    problem.charges = {{{0.0, 0.0, distance}, unit, -1}};
    const SolvedMedia found(std::move(problem));
    double force = 0.0, images = 0.0, energy = 0.0;
    for (const Vec3d& each : found.loads().force) force += each.z;
    for (int l = 1; l < 60; ++l) {
      const double share = (ratio - 1.0) * l / ((ratio + 1.0) * l + 1.0);
      images += share * (l + 1.0) / std::pow(distance, 2 * l + 3);
      energy -= 0.5 * share / std::pow(distance, 2 * l + 2);
    }
    EXPECT_NEAR(force, unit * images, 1e-2 * unit * std::abs(images)) << ratio;
    EXPECT_NEAR(found.loads().energy, unit * energy, 5e-3 * unit * std::abs(energy)) << ratio;
    EXPECT_NEAR(-found.at({{0.0, 0.0, 0.0}}).gradient[0].z, -0.75 / (ratio + 2.0),
                5e-3 / (ratio + 2.0));
    // Gauss's law: no net charge, though a ratio of 1000 would multiply it.
    EXPECT_NEAR(found.charge(), 0.0, 1e-3);
  }
}

TEST(Dielectrics, AChargeWithinIsSeenWholeFromOutside) {
  for (const double ratio : {0.05, 200.0}) {
    ElectricProblem problem = put_together({{sphere(1280, 1.0), {-1, 1.0, ratio}}});
    problem.charges = {{{0.0, 0.0, 0.0}, unit, 0}};
    const SolvedMedia found(std::move(problem));
    const Vec3d outside{1.0, 2.0, -2.0}, within{0.3, -0.2, 0.4};
    const PotentialField field = found.at({outside, within});
    EXPECT_NEAR(norm(field.gradient[0]), 1.0 / 9.0, 3e-3 / 9.0);
    EXPECT_NEAR(norm(field.gradient[1]), 1.0 / (ratio * dot(within, within)),
                3e-3 / (ratio * dot(within, within)));
    EXPECT_NEAR(field.phi[1], 1.0 + (1.0 / norm(within) - 1.0) / ratio, 4e-3 * (1.0 + 1.0 / ratio));
  }
}

TEST(Dielectrics, ElectrodesSeeBothSides) {
  // The whole surface of a dielectric ball at 1 V is a conductor with nothing within; its halves at
  // different potentials are each other's capacitor, the more so the higher the permittivity
  // within.
  std::vector<double> mutual;
  for (const double inner : {1.0, 10.0}) {
    ElectricProblem problem = put_together({{sphere(1280, 1.0), {-1, 1.0, inner}, 0}});
    problem.conductors = 2;
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      problem.conductor[i] = problem.panels.centroid[i].z > 0.0 ? 0 : 1;
    const SolvedMedia found(std::move(problem), {1.0, 1.0});
    const Capacitance& c = found.response.capacitance;
    EXPECT_NEAR(c(0, 0) + 2.0 * c(0, 1) + c(1, 1), unit, 1e-2 * unit);
    EXPECT_LE(norm(found.at({{0.1, 0.2, -0.3}}).gradient[0]), 1e-2);
    EXPECT_NEAR(found.at({{0.1, 0.2, -0.3}}).phi[0], 1.0, 5e-3);
    mutual.push_back(-c(0, 1));
  }
  // Legendre's series of both sides: -C_01 = (1 + inner) I / 2, with the same I on one mesh.
  EXPECT_NEAR(mutual[1] / mutual[0], 5.5, 0.1);
}

TEST(Dielectrics, OfEqualPermittivitiesThereIsNoInterface) {
  ElectricProblem problem = put_together({{sphere(500, 1.0), {-1, 2.5, 2.5}}});
  problem.permittivity = 2.5;
  problem.field = applied;
  const SolvedMedia found(std::move(problem));
  for (const double each : found.solution.state.charge) EXPECT_EQ(each, 0.0);
  for (const Vec3d& gradient : found.solution.gradient_inside)
    EXPECT_LE(norm(gradient + applied), 5e-3);
  EXPECT_LE(norm(found.at({{0.3, 0.2, 0.1}}).gradient[0] + applied), 2e-3);
}

TEST(Dielectrics, WithoutFluxTakeTheMeanOverTheirOuterSurface) {
  // A ball with a bubble, both potentials given at random.
  ElectricProblem problem =
      put_together({{sphere(320, 1.0), {-1, 1.0, 4.0}}, {sphere(320, 0.4), {0, 4.0, 1.0}}});
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size();
  ElectricState state;
  state.inside = state.outside = std::vector<double>(n);
  double mean = 0.0, area = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    state.potential.push_back(3.0 * (problem.body[i] == 0) +
                              std::sin(7.0 * static_cast<double>(i)));
    if (problem.body[i] != 0) continue;
    mean += panels.area[i] * state.potential[i];
    area += panels.area[i];
  }
  ASSERT_TRUE(find_potential_within(problem, 0, state, tight_media(), *make_cpu_backend()));
  for (const double each : state.potential) EXPECT_NEAR(each, mean / area, 1e-9);
}

TEST(Dielectrics, HalvesAreTheWhole) {
  // A dielectric egg on a wall around a conductor, whole and by images; likewise under zero
  // potential.
  for (const double sign : {1.0, -1.0}) {
    const meshes::Symmetry plane({{2, 0.0, sign}});
    const auto part = [](double a, double b) {
      return testing::positive_part(testing::stretched(meshes::make_sphere(320), {a, 0.8 * a, b}),
                                    {2});
    };
    std::vector<ElectricPart> half{{part(1.0, 1.2), {-1, 1.0, 40.0}}};
    std::vector<ElectricPart> whole{{testing::with_images(half[0].mesh, plane), half[0].body}};
    if (sign > 0.0) {
      half.push_back({part(0.4, 0.5), {0, 40.0, 0.0}, 0});
      whole.push_back({testing::with_images(half[1].mesh, plane), half[1].body, 0});
    }
    ElectricProblem a = put_together(half, plane), b = put_together(whole);
    a.field = b.field = sign > 0.0 ? Vec3d{1.0, -0.5, 0.0} : Vec3d{0.0, 0.0, 1.0};
    const std::vector<double> volts(half.size() - 1, 0.7);
    const SolvedMedia of_half(std::move(a), volts), of_whole(std::move(b), volts);
    if (sign > 0.0) {
      EXPECT_NEAR(2.0 * of_half.response.capacitance(0, 0), of_whole.response.capacitance(0, 0),
                  1e-5 * unit);
    }
    const std::vector<Vec3d> points{{0.2, 0.3, 0.8}, {1.5, 0.4, 0.6}, {-0.6, 0.1, -0.5}};
    const PotentialField found = of_half.at(points), wanted = of_whole.at(points);
    EXPECT_EQ(found.inside, wanted.inside);
    for (std::size_t k = 0; k < points.size(); ++k)
      EXPECT_LE(norm(found.gradient[k] - wanted.gradient[k]), 2e-3 * norm(wanted.gradient[k])) << k;
  }
}

TEST(Dielectrics, AreChecked) {
  const auto message = [](const auto& spoil) {
    ElectricProblem problem = put_together({{sphere(80, 1.0), {-1, 1.0, 2.0}}});
    problem.field = applied;
    spoil(problem);
    return testing::answer_of<InputError>([&] { check(problem); });
  };
  EXPECT_EQ(message([](ElectricProblem&) {}), "accepted");
  EXPECT_TRUE(testing::says(message([](ElectricProblem& p) { p.field = {}; }), "no potential"));
  EXPECT_TRUE(
      testing::says(message([](ElectricProblem& p) { p.bodies[0].inside = -2.0; }), "is -2;"));
  EXPECT_TRUE(testing::says(message([](ElectricProblem& p) { p.body[3] = 7; }), "80 panels"));
  EXPECT_TRUE(testing::says(message([](ElectricProblem& p) {
                              p.conductor.assign(80, 0);
                              p.conductors = 1;
                              p.bodies[0].inside = 0.0;
                              p.charges = {{{}, 1.0, 0}};
                            }),
                            "within a conductor"));
}

}  // namespace
}  // namespace rankine::bem
