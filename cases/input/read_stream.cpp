#include "cases/input/read_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

bool walls_alone(const std::vector<BoundaryInput>& boundaries) {
  return std::all_of(boundaries.begin(), boundaries.end(),
                     [](const BoundaryInput& each) { return each.type == BoundaryType::wall; });
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
}

void complete_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                     ProblemInput& problem) {
  const bool outside = problem.domain == bem::Domain::exterior;
  const bool driven = !walls_alone(boundaries) || !problem.onset.flow.empty();
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
  try {
    bem::require_compatible(problem.symmetry, problem.velocity);
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
