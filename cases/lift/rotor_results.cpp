#include "cases/lift/rotor_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "cases/lift/coefficients.hpp"
#include "cases/lift/wakes.hpp"
#include "rankine/bem/flow/unsteady.hpp"

namespace rankine::cases {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr std::size_t most_patches = 4;  ///< on a line of the log

/// Distance from the axis.
double radius_of(const bem::RelativeStream& stream, const Vec3d& x) {
  return norm(cross(stream.velocity, x - stream.frame.centre)) / norm(stream.velocity);
}

}  // namespace

double RotorResults::per_thrust() const {
  return 1.0 / (density * frequency * frequency * std::pow(diameter, 4));
}
double RotorResults::per_torque() const { return per_thrust() / diameter; }
Json RotorResults::errors() const {
  const auto of = [&](double near, double circulation) {
    return std::abs(near - circulation) + roughness * std::abs(circulation);
  };
  return {{"KT", per_thrust() * of(loads.thrust, far.thrust)},
          {"KQ", per_torque() * of(loads.torque, far.torque)}};
}

bem::RigidMotion motion_of(const RotorInput& rotor, const Vec3d& stream) {
  const double sense = dot(rotor.axis.value_or(stream), stream) < 0.0 ? -1.0 : 1.0;
  return {.angular_velocity = sense * rotor.angular_velocity / norm(stream) * stream,
          .centre = rotor.centre};
}

RotorResults find_rotor(const Case& flow_case, const bem::FlowProblem& problem,
                        const bem::Solution& solution, const bem::FieldOptions& options,
                        bem::Backend& backend, const LoadsByPatch& patches) {
  const RotorInput& rotor = flow_case.rotor;
  const bem::RelativeStream stream = bem::relative_stream(problem);
  double radius = 0.0;
  for (std::size_t e = 0; e < problem.panels.size(); ++e) {
    const bem::PanelShape<double>& shape = problem.panels.shape[e];
    for (int k = 0; k < shape.corners; ++k)
      radius = std::max(radius, radius_of(stream, shape.corner[k]));
  }
  const Vec3d arm = flow_case.problem.moment_centre - rotor.centre;
  RotorResults results{
      .loads = {},
      .far = bem::far_rotor_loads(problem, solution, options, backend),
      .diameter = rotor.diameter.value_or(2.0 * radius),
      .speed = norm(problem.stream),
      .frequency = norm(stream.frame.angular_velocity) / turn,
      .density = problem.density,
      .roughness = roughness(*problem.lift, solution.sheets, true),
      .blades = count_edges(problem.lift->segments) * problem.panels.symmetry.images()};
  std::set<std::size_t> of_blades;
  for (const bem::EdgeSegment& edge : problem.lift->segments) {
    for (const std::int32_t panel : {edge.upper, edge.lower})
      of_blades.insert(
          static_cast<std::size_t>(problem.panels.patch[static_cast<std::size_t>(panel)]));
  }
  for (std::size_t k = 0; k < patches.size(); ++k) {
    const auto& [name, of] = patches[k];
    const bem::RotorLoads mine =
        bem::rotor_loads(problem, of.force, of.moment + cross(arm, of.force));
    results.patches.emplace_back(name, mine);
    if (!of_blades.contains(k)) continue;
    results.loads.thrust += mine.thrust;
    results.loads.torque += mine.torque;
  }
  return results;
}

std::string rotor_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution) {
  const bem::RelativeStream stream = bem::relative_stream(problem);
  std::string text = "x,y,z,radius,width,circulation\n";
  for (std::size_t s = 0; s < solution.sheets.size(); ++s) {
    const bem::EdgeSegment& edge = problem.lift->segments[s];
    const Vec3d a = bem::corner_at(problem.panels, edge.upper, edge.first),
                b = bem::corner_at(problem.panels, edge.upper, edge.second), x = 0.5 * (a + b);
    text += fmt::format("{:.12g},{:.12g},{:.12g},{:.12g},{:.9g},{:.9g}\n", x.x, x.y, x.z,
                        radius_of(stream, x), norm(b - a), solution.sheets[s]);
  }
  return text;
}

std::vector<Result> describe(const RotorResults& rotor) {
  const auto& [loads, far, diameter, speed, frequency, density, rough, blades, patches] = rotor;
  const double power = turn * frequency * loads.torque, kt = rotor.per_thrust() * loads.thrust,
               kq = rotor.per_torque() * loads.torque,
               head = std::numbers::pi / 8.0 * density * std::pow(speed * diameter, 2),
               efficiency = power != 0.0 ? loads.thrust * speed / power : 0.0,
               advance = speed / (frequency * diameter);
  Json by_patch = Json::object();
  std::string parts;
  for (const auto& [name, of] : patches) {
    const double patch_kt = rotor.per_thrust() * of.thrust,
                 patch_kq = rotor.per_torque() * of.torque;
    by_patch[name] = {{"KT", patch_kt}, {"KQ", patch_kq}};
    if (patches.size() >= 2 && patches.size() <= most_patches) {
      parts += fmt::format("{}{}: KT {:.4f}, 10 KQ {:.4f}", parts.empty() ? "" : "; ", name,
                           patch_kt, 10.0 * patch_kq);
    }
  }
  return {{.key = "rotor",
           .value = {{"thrust", loads.thrust},
                     {"torque", loads.torque},
                     {"power", power},
                     {"KT", kt},
                     {"KQ", kq},
                     {"CT", loads.thrust / head},
                     {"CP", power / (head * speed)},
                     {"J", advance},
                     {"efficiency", efficiency},
                     {"KT_far", rotor.per_thrust() * far.thrust},
                     {"KQ_far", rotor.per_torque() * far.torque},
                     {"patches", by_patch},
                     {"diameter", diameter},
                     {"turns_per_second", frequency},
                     {"blades", blades}},
           .name = "rotor",
           .text = fmt::format("KT {:.4f}, 10 KQ {:.4f}, efficiency {:.3f} at J = {:.4g}", kt,
                               10.0 * kq, efficiency, advance)},
          {.text = parts},
          {.text = fmt::format("from the circulation KT {:.4f}, 10 KQ {:.4f}",
                               rotor.per_thrust() * far.thrust,
                               10.0 * rotor.per_torque() * far.torque)},
          {.text = fmt::format("thrust {:.5g} N, torque {:.5g} N m, diameter {:.5g} m, {} blades",
                               loads.thrust, loads.torque, diameter, blades)}};
}

}  // namespace rankine::cases
