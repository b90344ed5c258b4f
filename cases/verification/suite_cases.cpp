#include "cases/verification/suite_cases.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "rankine/bem/electric/conductors.hpp"
#include "rankine/bem/flow/exact.hpp"

namespace rankine::cases {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double unit = 4.0 * pi * bem::vacuum_permittivity;  ///< 4 pi epsilon_0, F/m

using Three = std::array<double, 3>;

std::string semi_axes(const Three& a) { return fmt::format("[{}, {}, {}]", a[0], a[1], a[2]); }
std::string ratio_of(const Three& a) { return fmt::format("{}:{}:{}", a[0], a[1], a[2]); }

/// Limits of relative errors: of potential and velocity (L2) with their least orders, and of the
/// six added masses, along and about the axes.
struct EllipsoidLimits {
  double potential, of_potential, velocity, of_velocity;
  std::array<double, 6> added_mass;
};

/// Flow past an ellipsoid, and its six added masses for rho = 1 kg/m^3, in kg and kg m^2
/// [L32 sec. 114, 115].
SuiteCase ellipsoid(const Three& axes, const EllipsoidLimits& limits, int panels = 5120) {
  SuiteCase result{
      "ellipsoid " + ratio_of(axes),
      "",
      fmt::format(R"(
mesh = {{ shape = "ellipsoid", semi_axes = {0}, centre = [2.0, -1.0, 3.0] }}
problem = {{ velocity = [0.6, -0.5, 0.62], added_mass = true, moment_centre = [2.0, -1.0, 3.0] }}
solver = {{ tolerance = 1e-7 }}
verify = {{ exact = "ellipsoid-flow", semi_axes = {0}, centre = [2.0, -1.0, 3.0] }})",
                  semi_axes(axes)),
      panels,
      {{"potential", "/verify/potential_l2", {0.0}, limits.potential, 1.0, limits.of_potential},
       {"velocity", "/verify/velocity_l2", {0.0}, limits.velocity, 1.0, limits.of_velocity}}};
  const double mass = 4.0 / 3.0 * pi * axes[0] * axes[1] * axes[2];
  const bem::EllipsoidFlow exact({axes[0], axes[1], axes[2]}, {});
  for (std::size_t i = 0; i < 6; ++i) {
    const int axis = static_cast<int>(i % 3);
    std::vector<double> row(6, 0.0);
    row[i] = mass * (i < 3 ? exact.added_mass() : exact.added_inertia())[axis];
    if (row[i] == 0.0) continue;  // rotation of a body of revolution about its axis
    result.quantities.push_back(
        {fmt::format("added mass {} {}", i < 3 ? "along" : "about", "xyz"[axis]),
         fmt::format("/results/added_mass_matrix/{}", i), row, limits.added_mass[i]});
  }
  return result;
}

/// A sphere at the distance h from a symmetry plane normal to x, "x" or "-x": added masses over the
/// displaced mass, along x and across [L32 sec. 99]. Rotations are about a point at the distance
/// 1/2 from its centre.
struct SphereAtPlane {
  double h;
  const char* plane;
  const char* formulation;
  double along, across;
  double along_limit, across_limit, order;
};

SuiteCase sphere_at_plane(const SphereAtPlane& given) {
  const double volume = 4.0 / 3.0 * pi, place = 0.7, off = 0.5;
  const double x = volume * given.along, y = volume * given.across;
  return {"two spheres",
          fmt::format("h/a = {}, {}, plane {}", given.h, given.formulation, given.plane),
          fmt::format(R"(
mesh = {{ shape = "sphere", centre = [{0}, 0.0, {1}] }}
problem.added_mass = true
problem.moment_centre = [{0}, 0.0, 0.0]
problem.velocity = [0.0, 1.0, 0.0]
problem.symmetry = ["{2}"]
problem.symmetry_origin = [{3}, 0.0, 0.0]
solver = {{ formulation = "{4}", tolerance = 1e-7 }})",
                      place + given.h, off, given.plane, place, given.formulation),
          5120,
          {{"along the line of centres",
            "/results/added_mass_matrix/0",
            {x, 0.0, 0.0, 0.0, off * x, 0.0},
            given.along_limit,
            0.0,
            given.order},
           {"across it",
            "/results/added_mass_matrix/1",
            {0.0, y, 0.0, -off * y, 0.0, 0.0},
            given.across_limit,
            0.0,
            given.order}}};
}

/// Force and moment on the ellipsoid 1.5:1:0.7 with velocity (1, 0.5, -0.3) m/s and angular
/// velocity (0.4, -0.7, 0.6) 1/s in a stream, by Kirchhoff's equations [L32 sec. 124]. `scale`:
/// magnitude of momentum times velocity.
SuiteCase moving_body(const Three& stream, const Three& force, const Three& moment, double scale,
                      double moment_limit, double force_order, double moment_order) {
  return {"motion",
          fmt::format("ellipsoid that moves and turns in a stream of {}", stream[0]),
          fmt::format(R"(
mesh = {{ shape = "ellipsoid", semi_axes = [1.5, 1.0, 0.7] }}
problem = {{ velocity = {} }}
solver = {{ tolerance = 1e-7 }}
[[boundary]]
patch = "*"
type = "motion"
velocity = [1.0, 0.5, -0.3]
angular_velocity = [0.4, -0.7, 0.6]
centre = [0.0, 0.0, 0.0])",
                      semi_axes(stream)),
          5120,
          {{"force",
            "/results/bodies/0/force",
            {force.begin(), force.end()},
            5.6e-4,
            scale,
            force_order},
           {"moment",
            "/results/bodies/0/moment",
            {moment.begin(), moment.end()},
            moment_limit,
            scale,
            moment_order}}};
}

/// The force that attracts a unit sphere at the origin to a singularity at the distance 2, in the
/// direction (0.6, 0.64, 0.48).
SuiteCase beside_sphere(const std::string& name, const std::string& singularity, double force,
                        double limit, double order) {
  return {
      "onset",
      name + " beside a sphere",
      "mesh = { shape = \"sphere\" }\nproblem = { density = 1.2, " + singularity +
          " }\nsolver = { tolerance = 1e-7 }",
      5120,
      {{"force", "/results/force", {0.6 * force, 0.64 * force, 0.48 * force}, limit, 0.0, order}}};
}

/// A source Q at the distance f: rho Q^2 a^3 / (4 pi f (f^2 - a^2)^2) [MT68]. A doublet along the
/// line of centres has the image -m (a / f)^3, and the force 6 rho m^2 a^3 / (4 pi f^3 (f - a^2 /
/// f)^4); a small loop of vortices with the same moment is one from afar.
void add_onsets(std::vector<SuiteCase>& cases) {
  constexpr double f = 2.0, strength = 3.0, square = 1.2 * strength * strength, side = 0.02;
  const double of_source = square / (4.0 * pi * f * std::pow(f * f - 1.0, 2)),
               of_doublet = 6.0 * square / (4.0 * pi * std::pow(f, 3) * std::pow(f - 1.0 / f, 4));
  cases.push_back(beside_sphere("source",
                                "source = [{ position = [1.2, 1.28, 0.96], value = 3.0 }]",
                                of_source, 5.9e-4, 2.5));
  cases.push_back(beside_sphere(
      "doublet", "doublet = [{ position = [1.2, 1.28, 0.96], moment = [1.8, 1.92, 1.44] }]",
      of_doublet, 1.2e-3, 2.9));
  std::string points;
  for (const auto& [u, v] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}}) {
    const double h = 0.5 * side * u,
                 k = 0.5 * side * v;  // along (0.8, -0.48, -0.36), (0, 0.6, -0.8)
    points += fmt::format("[{:.17g}, {:.17g}, {:.17g}], ", 1.2 + 0.8 * h, 1.28 - 0.48 * h + 0.6 * k,
                          0.96 - 0.36 * h - 0.8 * k);
  }
  cases.push_back(beside_sphere("vortex loop",
                                fmt::format("vortex = [{{ points = [{}], circulation = {} }}]",
                                            points, strength / (side * side)),
                                of_doublet, 2e-3, 2.4));
}

/// One conductor at 1 V. `capacitance`: over 4 pi epsilon_0.
SuiteCase conductor(const std::string& name, const std::string& keys, int panels,
                    double capacitance, double limit, const std::string& problem = "") {
  return {"capacitances",
          name,
          fmt::format(R"(
mesh = {{ {} }}
problem = {{ kind = "electrostatics"{} }}
boundary = [{{ patch = "*", type = "conductor", value = 1.0 }}])",
                      keys, problem),
          panels,
          {{"capacitance", "/results/capacitance_matrix/0/0", {unit * capacitance}, limit}}};
}

/// As conductor(), for an open sheet at 3 V, charged on both sides, and its energy C V^2 / 2, with
/// the least order.
SuiteCase sheet(const std::string& name, const std::string& keys, double capacitance, double limit,
                double order, const std::string& problem = "") {
  SuiteCase result = conductor(name, keys, 4800, capacitance, limit, problem);
  result.group = "sheets";
  result.text.replace(result.text.find("value = 1"), 9, "thin = true, value = 3");
  result.quantities[0].order = order;
  result.quantities.push_back({"energy", "/results/energy", {4.5 * unit * capacitance}, limit});
  return result;
}

/// The number of GMRES iterations of a first-kind equation to 1e-6, which depends on roundings by
/// one.
SuiteCase first_kind(const std::string& name, const std::string& keys, double most) {
  return {"first kind",
          name,
          fmt::format(R"(
mesh = {{ {} }}
problem = {{ kind = "electrostatics" }}
solver = {{ formulation = "source" }}
boundary = [{{ patch = "*", type = "conductor", value = 1.0 }}])",
                      keys),
          20000,
          {{"iterations", "/solver/iterations", {0.0}, most, 1.0}}};
}

/// A dielectric sphere in a field of 1 V/m: energy -p.E/2 of its dipole p = 4 pi epsilon_0 (ratio -
/// 1) / (ratio + 2) [J99 sec. 4.4].
SuiteCase dielectric_sphere(double ratio, double order) {
  return {"dielectrics",
          fmt::format("sphere, permittivity {}", ratio),
          fmt::format(R"(
mesh = {{ shape = "sphere" }}
problem = {{ kind = "electrostatics", field = [0.0, 0.0, 1.0] }}
solver = {{ tolerance = 1e-7 }}
boundary = [{{ patch = "*", type = "interface", permittivity = [1.0, {}] }}])",
                      ratio),
          5120,
          {{"energy in a field",
            "/results/energy",
            {-0.5 * unit * (ratio - 1.0) / (ratio + 2.0)},
            6.8e-4,
            0.0,
            order}}};
}

/// The force of a charge 4 pi epsilon_0 at two radii on a dielectric sphere, from the series of
/// images.
SuiteCase charge_beside_sphere(double ratio, double limit) {
  constexpr double distance = 2.0;
  double force = 0.0;
  for (int l = 1; l < 60; ++l) {
    force += unit * (ratio - 1.0) * l * (l + 1.0) / (ratio * l + l + 1.0) /
             std::pow(distance, 2 * l + 3);
  }
  return {"dielectrics",
          fmt::format("charge beside a sphere, permittivity {}", ratio),
          fmt::format(R"(
mesh = {{ shape = "sphere" }}
problem = {{ kind = "electrostatics", source = [{{ position = [0.0, 0.0, 2.0], value = {} }}] }}
solver = {{ tolerance = 1e-7 }}
boundary = [{{ patch = "*", type = "interface", permittivity = [1.0, {}] }}])",
                      unit, ratio),
          5120,
          {{"force", "/results/bodies/0/force", {0.0, 0.0, force}, limit}}};
}

/// Added mass of a thin disc, broadside on and about a diameter [L32 sec. 102, 108].
SuiteCase disc() {
  return {"thin walls",
          "disc",
          R"(
mesh = { shape = "disc" }
problem = { added_mass = true }
solver = { tolerance = 1e-7 }
boundary = [{ patch = "*", type = "wall", thin = true }])",
          4800,
          {{"added mass = 8/3", "/results/added_mass_matrix/2/2", {8.0 / 3.0}, 1.3e-4, 0.0, 1.9},
           {"about a diameter = 16/45",
            "/results/added_mass_matrix/3/3",
            {16.0 / 45.0},
            1.3e-3,
            0.0,
            1.9}}};
}

}  // namespace

std::vector<SuiteCase> quick_cases() {
  return {
      ellipsoid({3, 2, 1},
                {1.7e-4, 1.95, 1.5e-3, 2.0, {1.6e-4, 2.2e-4, 1.2e-4, 1.2e-4, 7.7e-5, 6e-4}}),
      ellipsoid({5, 1, 1}, {1.6e-4, 3.8, 1.3e-3, 2.6, {5.6e-5, 1.5e-4, 1.3e-4, 0, 3.9e-4, 4.1e-4}}),
      ellipsoid({1, 1, 0.2},
                {1.4e-3, 1.8, 7.5e-3, 2.7, {7.2e-5, 1.2e-4, 1.4e-3, 1.3e-3, 1.3e-3, 0}})};
}

std::vector<SuiteCase> long_cases() {
  std::vector<SuiteCase> cases{
      ellipsoid({1, 1, 1}, {1.9e-4, 1.9, 6.6e-5, 1.9, {2e-4, 2e-4, 2e-4, 0, 0, 0}}),
      ellipsoid({2, 1, 1}, {1.8e-4, 2.0, 5.1e-4, 1.9, {1.6e-4, 1.9e-4, 1.8e-4, 0, 4.8e-4, 4.8e-4}}),
      // With 1280 panels, of which the order is taken above, errors are not of second order yet.
      ellipsoid({10, 1, 1}, {9.9e-5, 3.5, 5.2e-4, 2.6, {1.6e-5, 1e-4, 7.1e-5, 0, 1e-4, 1.5e-4}},
                20480),
      // Panels at the rim of 1280 turn by more than the angle of an edge, which makes their errors
      // a little smaller and the order lower.
      ellipsoid({1, 1, 0.1}, {4e-3, 1.7, 0.057, 2.1, {6e-4, 2.4e-4, 4.1e-3, 4.6e-3, 4.4e-3, 0}}),
      sphere_at_plane({1.5, "x", "green", 0.5586567604, 0.5286181351, 1.8e-4, 1.9e-4, 2.1}),
      sphere_at_plane({1.2, "-x", "source", 0.4036294418, 0.4494847191, 2.7e-5, 2.3e-5, 0.0}),
      sphere_at_plane({1.02, "-x", "green", 0.3584489520, 0.4234676357, 1.6e-4, 1.9e-4, 2.2}),
      sphere_at_plane({1.02, "x", "source", 0.7565048372, 0.6089379162, 7e-4, 2.6e-4, 2.3}),
      moving_body({0, 0, 0}, {-0.233732124, -1.12434597, -1.155915549},
                  {0.04814435967, -0.9008195802, -0.3345016763}, 2.237796557, 1.2e-4, 2.1, 2.1),
      moving_body({0.8, -0.3, 0.5}, {-1.118236038, -2.033510029, -2.633031013},
                  {1.035472378, -0.47109206, 0.02403755407}, 4.258679293, 5e-5, 2.0, 2.3)};
  add_onsets(cases);
  // 1/R_F(a^2, b^2, c^2). With so few panels the discretization error exceeds the solver tolerance.
  for (const auto& [axes, panels, capacitance, limit] :
       {std::tuple{Three{1, 1, 1}, 320, 1.0, 4e-4},
        {Three{2, 1, 1}, 320, 1.315190722204, 8e-5},
        {Three{5, 1, 1}, 320, 2.137023122920, 3e-4},
        {Three{10, 1, 1}, 5120, 3.324134179967, 2.6e-4},
        {Three{3, 2, 1}, 5120, 1.966009200709, 4.3e-6},
        {Three{1, 1, 0.1}, 5120, 0.676572746051, 4.5e-4}}) {
    cases.push_back(conductor("ellipsoid " + ratio_of(axes),
                              R"(shape = "ellipsoid", semi_axes = )" + semi_axes(axes), panels,
                              capacitance, limit));
  }
  // The toroidal series (DLMF 14.19), and [HP13].
  cases.push_back(conductor("torus 2:1",
                            R"(shape = "torus", major_radius = 2.0, minor_radius = 1.0)", 5000,
                            2.4316704124535, 3.1e-6));
  cases.push_back(conductor("unit cube, graded", R"(shape = "box", grading = 3.0)", 1536,
                            0.66067815409957, 4.3e-4));
  // Two spheres at equal and at opposite potentials, one of them an image in a symmetry plane
  // [J99].
  for (const auto& [distance, same, opposite, limit] :
       {std::tuple{3.0, 1.514408750092, 1.535370508836, 4.9e-6},
        {2.01, 1.387769568250, 3.579456868626, 2e-3}}) {
    const std::string sphere =
        fmt::format(R"(shape = "sphere", centre = [{}, 0.0, 0.0])", 0.5 * distance);
    const std::string name = fmt::format("two spheres, distance {}, ", distance);
    cases.push_back(conductor(name + "at one potential", sphere, 320, 0.5 * same, 3.4e-4,
                              R"(, symmetry = ["x"])"));
    cases.push_back(conductor(name + "at opposite ones", sphere, 5120, opposite, limit,
                              R"(, symmetry = ["-x"])"));
  }
  for (const auto& [ratio, order] : {std::pair{0.01, 1.5}, {0.1, 1.5}, {10.0, 2.3}, {1000.0, 2.4}})
    cases.push_back(dielectric_sphere(ratio, order));
  cases.push_back(charge_beside_sphere(5.0, 9.5e-4));
  cases.push_back(charge_beside_sphere(1000.0, 7e-4));
  cases.push_back(disc());
  cases.push_back(sheet("disc", R"(shape = "disc")", 2.0 / pi, 1.9e-4, 1.95));
  // Two discs half a radius apart, by Love's integral equation: the force is dC/dz V^2 / 2.
  SuiteCase discs = sheet("two discs", R"(shape = "disc", centre = [0.0, 0.0, 0.25])",
                          1.70587030244, 3.2e-4, 1.9, R"(, symmetry = ["-z"])");
  discs.quantities.push_back(
      {"force", "/results/bodies/0/force", {0.0, 0.0, -19.467483048 * unit}, 7e-5});
  cases.push_back(std::move(discs));
  cases.push_back(sheet("square plate", R"(shape = "plate")", 0.3667874, 5.3e-5, 2.6));
  cases.push_back(first_kind("sphere", R"(shape = "sphere")", 7.0));
  cases.push_back(first_kind("cube", R"(shape = "box")", 8.0));
  return cases;
}

double error_of(const Quantity& quantity, const nlohmann::json& summary) {
  if (summary.is_null()) return std::numeric_limits<double>::infinity();
  if (summary.empty()) return 0.0;
  const nlohmann::json& value = summary.at(nlohmann::json::json_pointer(quantity.pointer));
  const auto found = value.is_array() ? value.get<std::vector<double>>()
                                      : std::vector<double>{value.get<double>()};
  double square = 0.0, size = 0.0;
  for (std::size_t i = 0; i < quantity.exact.size(); ++i) {
    square += std::pow(found.at(i) - quantity.exact[i], 2);
    size += std::pow(quantity.exact[i], 2);
  }
  return std::sqrt(square) / (quantity.scale > 0.0 ? quantity.scale : std::sqrt(size));
}

}  // namespace rankine::cases
