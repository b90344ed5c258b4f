#include "cases/verification/electric_suite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "cases/verification/solve_options.hpp"
#include "rankine/bem/flow/dielectrics.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/shapes/sphere_meshes.hpp"
#include "rankine/meshes/shapes/torus.hpp"

namespace rankine::cases {
namespace {

constexpr double four_pi = 4.0 * std::numbers::pi;
constexpr double limit = 2e-3;

double off(double found, double exact) { return std::abs(found / exact - 1.0); }

/// Over 4 pi epsilon; every patch is a conductor.
bem::Capacitance capacitance_of(const meshes::SurfaceMesh& mesh, bem::Backend& backend,
                                int threads) {
  const bem::FlowProblem problem{.panels = bem::make_panels(mesh)};
  bem::Capacitance found =
      bem::capacitance(problem, mesh.patch, static_cast<int>(mesh.patch_names.size()),
                       1.0 / four_pi, solve_options(threads), backend);
  return found;
}

std::vector<meshes::SurfaceMesh> five_bodies(int panels) {
  const meshes::SurfaceMesh ball = meshes::make_jittered_sphere(panels);
  return {meshes::make_sphere(panels), meshes::moved(ball, {2.3, 0.2, 0.0}),
          meshes::moved(meshes::stretched(ball, {0.5, 0.7, 1.2}), {0.0, 2.0, 0.3}),
          meshes::moved(meshes::stretched(ball, {0.9, 0.6, 0.5}), {0.2, -2.0, 0.5}),
          meshes::make_torus(panels, 1.0, 0.3, {0.0, 0.0, 2.2})};
}

double dipole(const bem::ElectricProblem& problem, const bem::ElectricSolution& solution) {
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    sum += problem.panels.area[i] * problem.panels.centroid[i].z * solution.state.charge[i];
  return sum / four_pi;
}

/// In a field of 1 V/m along z.
struct InField {
  bem::ElectricProblem problem;
  bem::ElectricSolution solution;
  bem::Backend& backend;
  int threads;

  InField(const std::vector<bem::ElectricPart>& parts, bem::Backend& on, int with)
      : problem(bem::put_together(parts)), backend(on), threads(with) {
    problem.field = {0.0, 0.0, 1.0};
    const bem::FlowOptions options = solve_options(threads);
    solution = bem::solve(problem, bem::respond(problem, options, backend), {}, options, backend);
  }
  Vec3d field(const Vec3d& at) const {
    return bem::evaluate_field(problem, solution, {&at, 1}, solve_options(threads), backend)
        .field.front();
  }
};

meshes::SurfaceMesh sphere(int panels, double radius) {
  return meshes::stretched(meshes::make_jittered_sphere(panels), radius * Vec3d{1.0, 1.0, 1.0});
}

void check_spheres(bem::Backend& backend, int threads, std::vector<SuiteCheck>& checks) {
  const Vec3d within{0.3, -0.2, 0.4};
  for (const double ratio : {0.01, 0.1, 10.0, 1000.0}) {
    const InField found({{sphere(5120, 1.0), {-1, 1.0, ratio}}}, backend, threads);
    const double inner = 3.0 / (ratio + 2.0);
    const std::string name = fmt::format("sphere, permittivity {}", ratio);
    checks.push_back({"dielectrics", name + ", polarizability",
                      off(dipole(found.problem, found.solution), (ratio - 1.0) / (ratio + 2.0)),
                      limit});
    checks.push_back({"dielectrics", name + ", field within",
                      norm(found.field(within) - Vec3d{0.0, 0.0, inner}) / inner, limit});
  }
}

void check_coated(bem::Backend& backend, int threads, std::vector<SuiteCheck>& checks) {
  constexpr double radius = 0.6, f = radius * radius * radius;
  for (const auto& [shell, core] : {std::pair{3.0, 0.2}, std::pair{0.05, 80.0}}) {
    const InField found(
        {{sphere(5120, 1.0), {-1, 1.0, shell}}, {sphere(2000, radius), {0, shell, core}}}, backend,
        threads);
    const double below =
        (shell + 2.0) * (core + 2.0 * shell) + 2.0 * f * (shell - 1.0) * (core - shell);
    const double above =
        (shell - 1.0) * (core + 2.0 * shell) + f * (1.0 + 2.0 * shell) * (core - shell);
    const double inner = 9.0 * shell / below;
    const std::string name = fmt::format("sphere of {} coated with {}", core, shell);
    checks.push_back({"dielectrics", name + ", polarizability",
                      off(dipole(found.problem, found.solution), above / below), limit});
    checks.push_back({"dielectrics", name + ", field within",
                      norm(found.field({0.2, 0.1, -0.3}) - Vec3d{0.0, 0.0, inner}) / inner, limit});
  }
}

void check_shells(bem::Backend& backend, int threads, std::vector<SuiteCheck>& checks) {
  const bem::FlowOptions options = solve_options(threads);
  for (const double shell : {0.1, 4.0, 1000.0}) {
    const bem::ElectricProblem problem = bem::put_together(
        {{sphere(2000, 1.0), {-1, 1.0, shell}}, {sphere(2000, 0.5), {0, shell, 0.0}, 0}});
    const double exact = four_pi * bem::vacuum_permittivity / (1.0 / shell + 1.0);
    const bem::ElectricResponse response = bem::respond(problem, options, backend);
    checks.push_back({"dielectrics", fmt::format("conductor in a shell of {}, capacitance", shell),
                      off(response.capacitance(0, 0), exact), limit});
  }
}

/// A charge q at a distance d of the centre of a sphere: its field there is 3 / (ratio + 2) of what it
/// would be without, and the force on the sphere the series of its images.
void check_charge(bem::Backend& backend, int threads, std::vector<SuiteCheck>& checks) {
  constexpr double ratio = 5.0, distance = 2.0;
  bem::ElectricProblem problem = bem::put_together({{sphere(5120, 1.0), {-1, 1.0, ratio}}});
  problem.charges = {{{0.0, 0.0, distance}, four_pi * bem::vacuum_permittivity, -1}};
  const bem::FlowOptions options = solve_options(threads);
  const bem::ElectricSolution solution =
      bem::solve(problem, bem::respond(problem, options, backend), {}, options, backend);
  const Vec3d centre{};
  const double field =
      bem::evaluate_field(problem, solution, {&centre, 1}, options, backend).field.front().z;
  const double alone = -1.0 / (distance * distance);
  checks.push_back({"dielectrics", "field of a charge at the centre of a sphere",
                    off(field, alone * 3.0 / (ratio + 2.0)), limit});
  double force = 0.0, exact = 0.0;
  for (const Vec3d& each : bem::loads(problem, solution, options, backend).force) force += each.z;
  for (int l = 1; l < 60; ++l)
    exact += (ratio - 1.0) * l * (l + 1.0) / (ratio * l + l + 1.0) / std::pow(distance, 2 * l + 3);
  checks.push_back({"dielectrics", "force of a charge on a sphere",
                    off(force, four_pi * bem::vacuum_permittivity * exact), limit});
}

}  // namespace

std::vector<SuiteCheck> check_capacitances(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  const auto of_one = [&](const std::string& name, const meshes::SurfaceMesh& mesh, double exact,
                          double most) {
    checks.push_back(
        {"capacitances", name, off(capacitance_of(mesh, backend, threads)(0, 0), exact), most});
  };
  // 1/R_F(a^2, b^2, c^2), and the toroidal series (DLMF 14.19).
  for (const auto& [axes, exact] :
       {std::pair{Vec3d{1, 1, 1}, 1.0}, std::pair{Vec3d{2, 1, 1}, 1.315190722204},
        std::pair{Vec3d{5, 1, 1}, 2.137023122920}, std::pair{Vec3d{10, 1, 1}, 3.324134179967},
        std::pair{Vec3d{3, 2, 1}, 1.966009200709}, std::pair{Vec3d{1, 1, 0.1}, 0.676572746051}}) {
    of_one(fmt::format("ellipsoid {}:{}:{}", axes.x, axes.y, axes.z),
           meshes::make_ellipsoid(5120, axes), exact, limit);
  }
  of_one("torus 2:1", meshes::make_torus(5000, 2.0, 1.0), 2.4316704124535, 1e-3);
  of_one("unit cube, graded",
         meshes::make_box(1536, {1, 1, 1}, {}, meshes::PanelKind::quadrilaterals, 3.0),
         0.66067815409957, 5e-4);
  for (const auto& [distance, same, opposite] :
       {std::tuple{3.0, 1.514408750092, 1.535370508836},
        std::tuple{2.01, 1.387769568250, 3.579456868626}}) {
    const Vec3d away{0.5 * distance, 0.0, 0.0};
    const meshes::SurfaceMesh ball = meshes::make_sphere(5120);
    const bem::Capacitance found = capacitance_of(
        meshes::joined(meshes::moved(ball, -away), meshes::moved(ball, away)), backend, threads);
    const std::string name = fmt::format("two spheres, distance {}", distance);
    checks.push_back({"capacitances", name + ", at one potential",
                      off(found(0, 0) + 2.0 * found(0, 1) + found(1, 1), same), limit});
    checks.push_back({"capacitances", name + ", at opposite ones",
                      off(found(0, 0) - found(0, 1), opposite), limit});
  }
  meshes::SurfaceMesh five;
  for (const meshes::SurfaceMesh& each : five_bodies(2000))
    five = five.elements.empty() ? each : meshes::joined(five, each);
  checks.push_back({"capacitances", "five bodies, asymmetry",
                    capacitance_of(five, backend, threads).asymmetry, 1e-4});
  return checks;
}

std::vector<SuiteCheck> check_dielectrics(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  check_spheres(backend, threads, checks);
  check_coated(backend, threads, checks);
  check_shells(backend, threads, checks);
  check_charge(backend, threads, checks);
  std::vector<bem::ElectricPart> parts{{sphere(5120, 5.0), {-1, 1.0, 4.0}}};
  for (const meshes::SurfaceMesh& each : five_bodies(2000)) {
    const auto number = static_cast<std::int32_t>(parts.size()) - 1;
    parts.push_back({each, {0, 4.0, 0.0}, number});
  }
  const bem::ElectricResponse response =
      bem::respond(bem::put_together(parts), solve_options(threads), backend);
  checks.push_back({"dielectrics", "five bodies in a dielectric, asymmetry",
                    response.capacitance.asymmetry, 1e-4});
  return checks;
}

}  // namespace rankine::cases
