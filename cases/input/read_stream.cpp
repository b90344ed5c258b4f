#include "cases/input/read_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Compressible flow is for walls at rest only: the Prandtl-Glauert rule holds for neither motions
/// nor normal fluxes.
void check_mach(const Section& section, const std::vector<BoundaryInput>& boundaries,
                const ProblemInput& problem) {
  const std::string with = fmt::format(
      "is {}: a compressible flow is one around walls at rest in a uniform stream, ", problem.mach);
  if (problem.domain != bem::Domain::exterior || !all_of_type(boundaries, BoundaryType::wall) ||
      any_is_thin(boundaries)) {
    section.fail("mach", with + "on the outside; leave mach out, or the domain and the conditions");
  }
  if (!problem.onset.flow.empty())
    section.fail("mach", with + fmt::format("without {}; leave one of them out",
                                            problem.onset.first_name()));
  if (problem.added_mass)
    section.fail("mach", with + "without added_mass; solve for it in a case of its own");
  if (problem.velocity == Vec3d{})
    section.fail("mach", with + "and there is none; give velocity, or alpha and speed");
}

}  // namespace

Vec3d stream_at(double speed, double alpha, double beta) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double a = alpha * degree, b = beta * degree;
  return speed * Vec3d{std::cos(a) * std::cos(b), 0.0 - std::sin(b), std::sin(a) * std::cos(b)};
}

void stream_keys(Keys& keys, ProblemInput& problem) {
  keys.key("velocity", problem.velocity,
           {.text = "Of the undisturbed stream.",
            .unit = "m/s",
            .otherwise = "zero if something else moves the fluid"});
  const std::string one_stream = "and velocity exclude each other; keep one of the two";
  const About in_place{.text = "Angle of attack, in place of velocity: x is aft, z up.",
                       .unit = "degrees",
                       .range = between(-90.0, 90.0),
                       .written = false};
  keys.key("alpha", problem.alpha, in_place);
  keys.check(!keys.gives("velocity"), "alpha", one_stream);
  keys.key("beta", problem.beta,
           {"Angle of sideslip: the stream comes from +y.",
            "degrees",
            between(-90.0, 90.0),
            {},
            {},
            false});
  keys.check(!keys.gives("velocity"), "beta", one_stream);
  keys.key("speed", problem.speed,
           {"Of the stream with these angles.", "m/s", positive(), "1", {}, false});
  keys.check(!keys.gives("velocity"), "speed", one_stream);
  keys.key("mach", problem.mach,
           {.text = "Mach number of the stream, below 1: a linear flow of a gas (Goethert's rule).",
            .range = between(0.0, 1.0),
            .written = problem.mach > 0.0});
  keys.check(problem.mach < 1.0, "mach",
             "is 1, but the linear equation is one of subsonic flow; give less than 1");
}

void complete_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                     ProblemInput& problem) {
  const bool outside = problem.domain == bem::Domain::exterior;
  const bool driven = !all_of_type(boundaries, BoundaryType::wall) || !problem.onset.flow.empty();
  if (problem.alpha || problem.beta || problem.speed)
    problem.velocity = stream_at(problem.speed.value_or(1.0), problem.alpha.value_or(0.0),
                                 problem.beta.value_or(0.0));
  else if (!section.has("velocity") && (!outside || driven))
    problem.velocity = {};
  if (problem.velocity == Vec3d{} && !driven && !problem.added_mass) {
    section.fail("velocity",
                 outside ? "must not be zero: without a stream there is no flow to solve for"
                         : "is zero inside walls: give a [[boundary]] that moves the fluid");
  }
  if (problem.mach > 0.0) check_mach(section, boundaries, problem);
  std::vector<meshes::SymmetryPlane> walls;  // other patches are checked when the mesh is known
  for (const meshes::SymmetryPlane& plane : problem.symmetry.planes()) {
    if (plane.sign > 0.0) walls.push_back(plane);
  }
  try {
    bem::require_compatible(meshes::Symmetry(walls), problem.velocity);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", section.position("velocity"), error.what()));
  }
  const double pressure = 0.5 * problem.density * dot(problem.velocity, problem.velocity);
  const bool in_range = pressure > 0.0 && std::isfinite(pressure);
  if (!(problem.velocity == Vec3d{}) && !in_range) {
    section.fail("velocity", fmt::format("and density make a dynamic pressure of {} Pa, out of the "
                                         "range of numbers; choose other units",
                                         pressure));
  }
}

}  // namespace rankine::cases
