#include "cases/lift/polar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <utility>

#include "cases/input/read_problem.hpp"
#include "cases/lift/controls.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

struct Variable {
  std::string name;
  std::function<double&(FlightState&)> value;
  double unit;  ///< of derivatives, in units of the value
};

std::vector<Variable> variables_of(const Polar& polar) {
  std::vector<Variable> all{{"alpha", &FlightState::alpha, 1.0 / degree},
                            {"beta", &FlightState::beta, 1.0 / degree},
                            {"p", &FlightState::p, 1.0},
                            {"q", &FlightState::q, 1.0},
                            {"r", &FlightState::r, 1.0}};
  for (std::size_t c = 0; c < polar.controls.size(); ++c)
    all.push_back({polar.controls[c],
                   [c](FlightState& state) -> double& { return state.controls[c]; }, 1.0 / degree});
  return all;
}

/// The motion of the wing relative to fluid at rest. Rates are about flight-mechanics axes, x
/// forward and z down.
bem::MotionVector motion_of(const Polar& polar, const FlightState& state) {
  const LiftReference& by = polar.reference;
  const Vec3d stream = stream_at(polar.speed, state.alpha, state.beta);
  const double v = 2.0 * polar.speed;
  bem::MotionVector motion{-stream.x,
                           -stream.y,
                           -stream.z,
                           -state.p * v / by.span,
                           state.q * v / by.chord,
                           -state.r * v / by.span};
  for (const double angle : state.controls) motion.push_back(angle * degree);
  return motion;
}

Vec3d vector_of(const std::array<bem::QuadraticForm, 3>& forms, const bem::MotionVector& motion) {
  return {forms[0](motion), forms[1](motion), forms[2](motion)};
}

bool allows(const Polar& polar, const FlightState& state) {
  const bem::MotionVector motion = motion_of(polar, state);
  for (std::size_t k = 0; k < motion.size(); ++k) {
    if (motion[k] != 0.0 && !polar.forms.allowed[k]) return false;
  }
  return true;
}

/// Derivatives by central differences. Apart from the rotation of the axes, coefficients are
/// quadratic in the motion.
Json derivatives_of(const Polar& polar) {
  Json json = Json::object();
  for (const auto& [name, value] : coefficient_names) {
    json[name] = Json::object();
    for (const Variable& by : variables_of(polar)) {
      const double step = 1e-3 * by.unit;
      FlightState above = polar.state, below = polar.state;
      by.value(above) += step;
      by.value(below) -= step;
      if (!allows(polar, above)) continue;
      json[name][by.name] =
          (coefficients(polar, above).*value - coefficients(polar, below).*value) / 2e-3;
    }
  }
  return json;
}

/// Applies `take` to every form and its name.
template <class Forms, class Take>
void for_each_form(Forms& forms, Take&& take) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    take("force_" + name, forms.force[axis]);
    take("moment_" + name, forms.moment[axis]);
    take("force_trefftz_" + name, forms.far_force[axis]);
  }
  take(std::string("induced_drag"), forms.induced_drag);
}

}  // namespace

Polar find_polar(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                 const bem::FlowProblem& problem, const bem::FlowOptions& options,
                 bem::Backend& backend, const bem::EquivalentFlow* equivalent) {
  Polar polar{.reference = reference_of(flow_case, problem),
              .density = problem.density,
              .speed = norm(problem.stream),
              .state = {},
              .controls = {},
              .forms = {}};
  const Vec3d along = problem.stream / polar.speed;
  polar.state.alpha = std::atan2(along.z, along.x) / degree;
  polar.state.beta = std::asin(std::clamp(-along.y, -1.0, 1.0)) / degree;
  for (const ControlInput& control : flow_case.lift.controls) {
    polar.controls.push_back(control.name);
    polar.state.controls.push_back(control.deflection);
  }
  polar.forms = bem::load_forms(problem, polar.reference.centre, options, backend, equivalent,
                                control_velocities(flow_case, mesh, problem));
  const std::size_t count = polar.forms.allowed.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const auto widen = [&](std::array<bem::QuadraticForm, 3>& forms, bool is_moment) {
        const Vec3d whole = of_whole(
            problem, {forms[0].entry[i][j], forms[1].entry[i][j], forms[2].entry[i][j]}, is_moment);
        for (int axis = 0; axis < 3; ++axis)
          forms[static_cast<std::size_t>(axis)].entry[i][j] = whole[axis];
      };
      widen(polar.forms.force, false);
      widen(polar.forms.moment, true);
      widen(polar.forms.far_force, false);
      polar.forms.induced_drag.entry[i][j] *= parts_of(problem);
    }
  }
  return polar;
}

LiftCoefficients coefficients(const Polar& polar, const FlightState& state) {
  if (!allows(polar, state)) {
    throw InputError(
        "the solve had half the wing, and a symmetry plane that excludes sideslip, rolling and "
        "yawing; solve for the whole wing");
  }
  const bem::MotionVector motion = motion_of(polar, state);
  const bem::LoadForms& forms = polar.forms;
  return coefficients(polar.reference, stream_at(polar.speed, state.alpha, state.beta),
                      polar.density,
                      {vector_of(forms.force, motion), vector_of(forms.moment, motion),
                       vector_of(forms.far_force, motion), forms.induced_drag(motion)});
}

std::string derivatives_json(const Polar& polar) {
  const bem::LoadForms& forms = polar.forms;
  Json json{{"schema", 1},
            {"reference", to_json(polar.reference)},
            {"density", polar.density},
            {"speed", polar.speed},
            {"alpha", polar.state.alpha},
            {"beta", polar.state.beta},
            {"controls", polar.controls},
            {"deflections", polar.state.controls},
            {"derivatives", derivatives_of(polar)},
            {"units",
             "alpha, beta, deflections: degrees, derivatives per radian; p b/(2 V), q c/(2 V), "
             "r b/(2 V); forms: N and N m per product of velocities along x, y, z, m/s, and rates "
             "about these axes, rad/s, of the wing in fluid at rest, and deflections, rad"},
            {"allowed", forms.allowed},
            {"forms", Json::object()}};
  for_each_form(forms, [&](const std::string& name, const bem::QuadraticForm& form) {
    json["forms"][name] = form.entry;
  });
  return dump(json, 2) + "\n";
}

std::string derivatives_csv(const Polar& polar) {
  const Json derivatives = derivatives_of(polar);
  std::string text = "coefficient";
  const std::vector<Variable> variables = variables_of(polar);
  for (const Variable& by : variables) text += fmt::format(",{}", by.name);
  for (const auto& [name, row] : derivatives.items()) {
    text += "\n" + name;
    for (const Variable& by : variables)
      text += row.contains(by.name) ? fmt::format(",{:.9g}", row[by.name].get<double>()) : ",";
  }
  return text + "\n";
}

std::vector<Result> describe(const Polar& polar) {
  const Json by = derivatives_of(polar);
  if (!by["CL"].contains("alpha")) return {{.key = "derivatives", .value = by}};
  const double lift = by["CL"]["alpha"], pitch = by["Cm"]["alpha"];
  const double neutral = polar.reference.centre.x - polar.reference.chord * pitch / lift;
  return {{.key = "derivatives",
           .value = by,
           .name = "stability",
           .text = fmt::format("CL {:.4f}, Cm {:.4f} per radian of alpha; neutral point x = "
                               "{:.4g} m",
                               lift, pitch, neutral)}};
}

Polar read_polar(const std::filesystem::path& results) {
  const std::filesystem::path path = results / derivatives_name;
  std::ifstream file(path);
  if (!file) {
    throw InputError(path.string() +
                     " cannot be read; solve the case with lift.derivatives = true");
  }
  try {
    const Json json = Json::parse(file);
    Polar polar{.reference = reference_from(json.at("reference")),
                .density = json.at("density"),
                .speed = json.at("speed"),
                .state = {.alpha = json.at("alpha"), .beta = json.at("beta")},
                .controls = json.value("controls", std::vector<std::string>{}),
                .forms = {}};
    polar.state.controls = json.value("deflections", std::vector<double>{});
    polar.forms.allowed = json.at("allowed").get<std::vector<bool>>();
    for_each_form(polar.forms, [&](const std::string& name, bem::QuadraticForm& form) {
      json.at("forms").at(name).get_to(form.entry);
      form(bem::MotionVector(6 + polar.controls.size(), 0.0));  // throws if entries are missing
    });
    return polar;
  } catch (const std::exception& error) {
    throw InputError(path.string() + " is damaged: " + error.what() + "; solve the case again");
  }
}

}  // namespace rankine::cases
