#include "cases/verification/conditions_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/verification/solve_options.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/bem/flow/conductors.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/exact_motion.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/cut_quadrilaterals.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/shapes/sheets.hpp"

namespace rankine::cases {
namespace {

constexpr double sphere_volume = 4.0 / 3.0 * std::numbers::pi;

double volume_of(const Vec3d& axes) { return sphere_volume * axes.x * axes.y * axes.z; }

/// A harmonic polynomial of each degree and its gradient.
struct Polynomial {
  int degree;

  double value(const Vec3d& p) const {
    const double x = p.x, y = p.y, z = p.z;
    if (degree == 1) return 0.3 * x - 0.5 * y + 0.8 * z;
    if (degree == 2) return x * x - y * y + 0.5 * y * z;
    if (degree == 3) return x * x * x - 3.0 * x * y * y + 0.4 * x * y * z;
    return x * x * x * x - 6.0 * x * x * y * y + y * y * y * y;
  }
  Vec3d gradient(const Vec3d& p) const {
    const double x = p.x, y = p.y, z = p.z;
    if (degree == 1) return {0.3, -0.5, 0.8};
    if (degree == 2) return {2.0 * x, -2.0 * y + 0.5 * z, 0.5 * y};
    if (degree == 3)
      return {3.0 * x * x - 3.0 * y * y + 0.4 * y * z, -6.0 * x * y + 0.4 * x * z, 0.4 * x * y};
    return {4.0 * x * x * x - 12.0 * x * y * y, -12.0 * x * x * y + 4.0 * y * y * y, 0.0};
  }
};

enum class Given { potential, flux, halves };

/// Relative L2 error of the gradient on the surface of a unit ball.
double error_inside(int panels, Given given, const Polynomial& exact, bem::Backend& backend,
                    int threads) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  meshes::turn_inside_out(mesh);
  bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {}};
  problem.domain = bem::Domain::interior;
  problem.has_pressure = false;
  std::vector<Vec3d> gradient;
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const Vec3d& x = problem.panels.centroid[i];
    const bool potential = given == Given::potential || (given == Given::halves && x.z > 0.0);
    problem.conditions.known.push_back(potential ? bem::Known::potential : bem::Known::flux);
    gradient.push_back(exact.gradient(x));
    problem.potential.push_back(exact.value(x));
    problem.normal_velocity.push_back(dot(gradient.back(), problem.panels.normal[i]));
  }
  const bem::Solution solution = bem::solve(problem, solve_options(threads), backend);
  return bem::relative_error(problem.panels.area, solution.velocity, gradient).l2;
}

}  // namespace

std::vector<SuiteCheck> check_added_mass(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  for (const Vec3d& axes : {Vec3d{1, 1, 1}, Vec3d{2, 1, 1}, Vec3d{5, 1, 1}, Vec3d{10, 1, 1},
                            Vec3d{3, 2, 1}, Vec3d{1, 1, 0.1}}) {
    const bem::FlowProblem problem{.panels = bem::make_panels(meshes::make_ellipsoid(20480, axes)),
                                   .stream = {1.0, 0.0, 0.0}};
    const bem::RigidBodies bodies{std::vector<std::int32_t>(problem.panels.size(), 0), {Vec3d{}}};
    const bem::AddedMass found =
        bem::added_mass(problem, bodies, {}, solve_options(threads), backend);
    const bem::EllipsoidAddedMass exact = bem::ellipsoid_added_mass(axes);
    const double volume = volume_of(axes);
    double translation = 0.0, rotation = 0.0;
    for (int k = 0; k < 3; ++k) {
      translation =
          std::max(translation, std::abs(found(k, k) / (volume * exact.translation[k]) - 1.0));
      if (exact.rotation[k] == 0.0) continue;
      rotation =
          std::max(rotation, std::abs(found(3 + k, 3 + k) / (volume * exact.rotation[k]) - 1.0));
    }
    const std::string name = fmt::format("{}:{}:{}", axes.x, axes.y, axes.z);
    checks.push_back({"added mass", name + ", translations", translation, 1e-3});
    if (rotation > 0.0) checks.push_back({"added mass", name + ", rotations", rotation, 1e-3});
  }
  return checks;
}

std::vector<SuiteCheck> check_two_spheres(bem::Backend& backend, int threads) {
  // Half the distance between centres; k of motions across the plane between them, and along it.
  constexpr double series[][3] = {{3.0, 0.5069796074, 0.5034812350},
                                  {1.5, 0.5586567604, 0.5286181351},
                                  {1.2, 0.6248238551, 0.5587511438}};
  std::vector<SuiteCheck> checks;
  for (const auto& [h, across, along] : series) {
    meshes::SurfaceMesh mesh = meshes::make_sphere(5120, 1.0, {-h, 0.0, 0.0});
    const meshes::SurfaceMesh other = meshes::make_sphere(5120, 1.0, {h, 0.0, 0.0});
    const auto nodes = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), other.nodes.begin(), other.nodes.end());
    for (const meshes::Element& e : other.elements)
      mesh.elements.push_back({e[0] + nodes, e[1] + nodes, e[2] + nodes, -1});
    mesh.patch.resize(mesh.elements.size(), 0);
    const bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
    bem::RigidBodies bodies{{}, {{-h, 0.0, 0.0}, {h, 0.0, 0.0}}};
    for (const Vec3d& x : problem.panels.centroid) bodies.body.push_back(x.x > 0.0 ? 1 : 0);
    const bem::AddedMass found =
        bem::added_mass(problem, bodies, {}, solve_options(threads), backend);
    const double k_across = (found(0, 0) - found(0, 6)) / sphere_volume,
                 k_along = (found(1, 1) + found(1, 7)) / sphere_volume;
    const std::string name = fmt::format("h/a = {}", h);
    checks.push_back(
        {"two spheres", name + ", towards each other", std::abs(k_across / across - 1.0), 3e-3});
    checks.push_back(
        {"two spheres", name + ", side by side", std::abs(k_along / along - 1.0), 3e-3});
    checks.push_back({"two spheres", name + ", asymmetry", found.asymmetry, 1e-4});
  }
  return checks;
}

std::vector<SuiteCheck> check_moving_bodies(bem::Backend& backend, int threads) {
  const Vec3d axes{1.5, 1.0, 0.7};
  const bem::EllipsoidAddedMass k = bem::ellipsoid_added_mass(axes);
  const auto times = [&](const Vec3d& a, const Vec3d& b) {
    return volume_of(axes) * Vec3d{a.x * b.x, a.y * b.y, a.z * b.z};
  };
  const bem::RigidMotion motion{{1.0, 0.5, -0.3}, {0.4, -0.7, 0.6}, {}};
  std::vector<SuiteCheck> checks;
  for (const Vec3d& stream : {Vec3d{}, Vec3d{0.8, -0.3, 0.5}}) {
    bem::FlowProblem problem{.panels = bem::make_panels(meshes::make_ellipsoid(5120, axes)),
                             .stream = stream};
    problem.motions = {motion};
    problem.motion.assign(problem.panels.size(), 0);
    const std::vector<Vec3d> moment = bem::moments_of_area(problem.panels);
    for (std::size_t i = 0; i < moment.size(); ++i) {
      problem.normal_velocity.push_back(
          bem::swept_volume(motion, problem.panels.vector_area[i], moment[i]) /
          problem.panels.area[i]);
    }
    const bem::Solution solution = bem::solve(problem, solve_options(threads), backend);
    const bem::Loads found = bem::pressure_loads(bem::fit_surface(problem, solution, backend));
    const Vec3d velocity = motion.velocity - stream, turning = motion.angular_velocity;
    const Vec3d momentum = times(k.translation, velocity);
    const Vec3d force =
        -1.0 * (cross(turning, momentum) + times(k.translation, cross(turning, stream)));
    const Vec3d torque =
        -1.0 * (cross(turning, times(k.rotation, turning)) + cross(velocity, momentum));
    const double size = norm(momentum) * norm(velocity);
    const std::string name = norm(stream) > 0.0 ? "in a stream" : "in fluid at rest";
    checks.push_back({"motion", "force on an ellipsoid that moves and turns " + name,
                      norm(found.force - force) / size, 3e-3});
    checks.push_back({"motion", "moment, " + name, norm(found.moment - torque) / size, 3e-3});
  }
  return checks;
}

std::vector<SuiteCheck> check_inside(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  const auto rows = [&](Given given, const std::string& name, double limit, double order) {
    for (int degree = 1; degree <= 4; ++degree) {
      const int few = degree < 4 ? 1280 : 5120;  // orders show where panels are small to a lobe
      const double coarse = error_inside(few, given, {degree}, backend, threads),
                   fine = error_inside(4 * few, given, {degree}, backend, threads);
      const std::string of = fmt::format("gradient from {}, degree {}", name, degree);
      checks.push_back({"inside", of, fine, limit});
      checks.push_back({"inside", of + ", order", std::log2(coarse / fine), order, true});
    }
  };
  rows(Given::flux, "fluxes", 3e-3, 1.7);
  rows(Given::potential, "potentials", 3e-3, 1.7);
  rows(Given::halves, "both", 3e-3, 1.7);
  return checks;
}

std::vector<SuiteCheck> check_thin_walls(bem::Backend& backend, int threads) {
  const auto matrix = [&](int panels, double width) {
    meshes::SurfaceMesh mesh = meshes::make_disc(panels, 1.0, {}, 3.0);
    for (Vec3d& x : mesh.nodes) x.y *= width;
    meshes::cut_quadrilaterals(mesh);
    bem::FlowProblem problem{.panels = bem::make_panels(mesh, bem::PanelGeometry::flat),
                             .stream = {1.0, 0.0, 0.0}};
    const std::size_t n = problem.panels.size();
    problem.thin.assign(n, 1);
    bem::FlowOptions options = solve_options(threads);
    options.formulation = bem::Formulation::doublet;
    return bem::added_mass(problem, {std::vector<std::int32_t>(n, 0), {Vec3d{}}}, {}, options,
                           backend);
  };
  const bem::AddedMass coarse = matrix(1200, 1.0), fine = matrix(4800, 1.0);
  const auto turning = [](const bem::AddedMass& m) {
    return std::abs(m(3, 3) * 45.0 / 16.0 - 1.0);
  };
  const double ellipse = 4.0 * std::numbers::pi / 3.0 * 0.25 / std::comp_ellint_2(std::sqrt(0.75));
  return {{"thin walls", "added mass of the disc = 8/3", std::abs(fine(2, 2) * 0.375 - 1.0), 1e-3},
          {"thin walls", "about a diameter = 16/45", turning(fine), 2e-3},
          {"thin walls", "about a diameter, order", std::log2(turning(coarse) / turning(fine)), 1.7,
           true},
          {"thin walls", "added mass of the ellipse 2:1",
           std::abs(matrix(4800, 0.5)(2, 2) / ellipse - 1.0), 1e-3},
          {"thin walls", "asymmetry", fine.asymmetry, 1e-6}};
}

std::vector<SuiteCheck> check_sheets(bem::Backend& backend, int threads) {
  std::vector<SuiteCheck> checks;
  const auto solve = [&](const meshes::SurfaceMesh& mesh, bool thin) {
    bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
    const std::vector<std::int32_t> one(problem.panels.size(), 0);
    if (thin) problem.thin.assign(one.size(), 1);
    bem::FlowOptions options = solve_options(threads);
    options.gmres.tolerance = 1e-6;
    options.formulation = bem::Formulation::source;
    return bem::capacitance(problem, one, 1, bem::inverse_four_pi, options, backend);
  };
  const auto row = [&](const std::string& name, double exact, const auto& mesh_of) {
    const double coarse = std::abs(solve(mesh_of(1200), true)(0, 0) / exact - 1.0),
                 fine = std::abs(solve(mesh_of(4800), true)(0, 0) / exact - 1.0);
    checks.push_back(
        {"sheets", fmt::format("capacitance of the {} = {:.7f}", name, exact), fine, 1e-3});
    // Graded panels: what is left at a rim falls with order 1.5 at least on finer ones; here errors are 6e-6 to 2e-4.
    checks.push_back({"sheets", name + ", order", std::log2(coarse / fine), 1.2, true});
  };
  row("disc", 2.0 / std::numbers::pi,
      [](int panels) { return meshes::make_disc(panels, 1.0, {}, 3.0); });
  row("square plate", 0.3667874,
      [](int panels) { return meshes::make_plate(panels, 1.0, 1.0, {}, 3.0); });
  for (const auto& [name, mesh] : {std::pair{"sphere", meshes::make_sphere(20480)},
                                   std::pair{"cube", meshes::make_box(20000, {1.0, 1.0, 1.0})}}) {
    const bem::Capacitance found = solve(mesh, false);
    checks.push_back({"first kind", fmt::format("iterations on the {} to 1e-6", name),
                      found.converged() ? found.gmres[0].iterations : 1e3, 20.0});
  }
  return checks;
}

}  // namespace rankine::cases
