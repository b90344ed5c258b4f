// Coefficients of rotors, with diameter D, n revolutions per second, A = pi D^2/4 and power P = 2
// pi n Q:
//
//   J = U/(n D)   KT = T/(rho n^2 D^4)   KQ = Q/(rho n^2 D^5)
//   CT = T/(rho U^2 A/2)   CP = P/(rho U^3 A/2)   efficiency = T U/P .
//
// Thrust is positive against the stream, torque in the sense of rotation. Both are negative for a
// turbine. Only patches with trailing edges (the blades) contribute to them. The load on a hub has
// no bound in potential flow: the vortices of the roots meet at its rear end, and the suction of a
// vortex on the axis grows without limit towards the axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/summary.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/rotor.hpp"

namespace rankine::cases {

/// Names of patches, and loads from the pressure on each.
using LoadsByPatch = std::vector<std::pair<std::string, bem::Loads>>;

struct RotorResults {
  bem::RotorLoads loads, far;  ///< from the pressure on patches with trailing edges; from the
                               ///< circulation
  double diameter, speed, frequency;  ///< m, m/s, 1/s
  double density, roughness;          ///< kg/m^3; roughness() of the circulation
  int blades;
  std::vector<std::pair<std::string, bem::RotorLoads>> patches{};  ///< from the pressure

  double per_thrust() const;  ///< KT per newton of thrust, 1/N
  double per_torque() const;  ///< KQ per newton metre of torque, 1/(N m)
  Json errors() const;        ///< estimated errors of KT and KQ
};

/// The motion of the rotor, with its axis set exactly parallel to the stream.
bem::RigidMotion motion_of(const RotorInput& rotor, const Vec3d& stream);

/// `patches`: from the pressure, about problem.moment_centre. Errors are estimated from
/// the difference between the loads from pressure and from circulation, and from the roughness of
/// the circulation.
RotorResults find_rotor(const Case& flow_case, const bem::FlowProblem& problem,
                        const bem::Solution& solution, const bem::FieldOptions& options,
                        bem::Backend& backend, const LoadsByPatch& patches);

/// One row per segment of the trailing edges, blade by blade, from root to tip.
std::string rotor_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution);

/// For summary and log.
std::vector<Result> describe(const RotorResults& rotor);

}  // namespace rankine::cases
