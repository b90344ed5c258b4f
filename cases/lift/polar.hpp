// Coefficients of a wing at other angles and in steady turns from one solve. The wakes are fixed,
// so loads are quadratic forms of the motion (bem/flow/load_forms.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/lift/coefficients.hpp"
#include "rankine/bem/flow/load_forms.hpp"

namespace rankine::cases {

/// Angles of the stream, degrees, and dimensionless rates about axes through the reference centre:
/// p b/(2 V) right wing down, q c/(2 V) nose up, r b/(2 V) nose to the right.
struct FlightState {
  double alpha = 0.0, beta = 0.0;
  double p = 0.0, q = 0.0, r = 0.0;
  std::vector<double> controls{};  ///< deflections, degrees; missing ones are zero
};

inline constexpr const char* derivatives_name = "derivatives.json";

struct Polar {
  LiftReference reference;
  double density, speed;              ///< kg/m^3, m/s
  FlightState state;                  ///< of the case; wakes may follow its stream
  std::vector<std::string> controls;  ///< names
  bem::LoadForms forms;               ///< of the whole wing
};

Polar find_polar(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                 const bem::FlowProblem& problem, const bem::FlowOptions& options,
                 bem::Backend& backend, const bem::EquivalentFlow* equivalent = nullptr);

/// Throws InputError for a state that the symmetry planes exclude.
LiftCoefficients coefficients(const Polar& polar, const FlightState& state);

/// The forms, and the derivatives at the state of the case per radian and per unit rate.
std::string derivatives_json(const Polar& polar);
/// One row per coefficient; one column per angle, rate and control surface.
std::string derivatives_csv(const Polar& polar);
/// For summary and log.
std::vector<Result> describe(const Polar& polar);

/// Throws InputError if the directory has no derivatives.json, or a damaged one.
Polar read_polar(const std::filesystem::path& results);

}  // namespace rankine::cases
