// `rankine polar`: coefficients of a wing at many angles, from the derivatives of one solve.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/input/suggest.hpp"
#include "cases/lift/polar.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Every combination of angles; alpha varies fastest.
std::vector<FlightState> states_of(const PolarArguments& arguments, const Polar& polar) {
  for (const auto& [name, angles] : arguments.controls) {
    if (std::find(polar.controls.begin(), polar.controls.end(), name) != polar.controls.end())
      continue;
    throw InputError(fmt::format("--control: the solve had no control surface \"{}\"{}", name,
                                 did_you_mean(name, polar.controls)));
  }
  std::vector<FlightState> states{{.p = arguments.p, .q = arguments.q, .r = arguments.r}};
  const auto combine = [&](const std::vector<double>& angles, const auto& set) {
    std::vector<FlightState> all;
    for (const FlightState& state : states) {
      for (const double angle : angles) set(all.emplace_back(state), angle);
    }
    states = std::move(all);
  };
  for (const std::string& name : polar.controls) {
    const auto given = arguments.controls.find(name);
    combine(given == arguments.controls.end() ? std::vector{0.0} : given->second,
            [](FlightState& state, double angle) { state.controls.push_back(angle); });
  }
  combine(arguments.beta, [](FlightState& state, double angle) { state.beta = angle; });
  combine(arguments.alpha, [](FlightState& state, double angle) { state.alpha = angle; });
  return states;
}

}  // namespace

int run(const PolarArguments& arguments) {
  const Polar polar = read_polar(arguments.results);
  std::vector<std::string> names{"alpha", "beta", "p", "q", "r"};
  names.insert(names.end(), polar.controls.begin(), polar.controls.end());
  for (const auto& [name, value] : coefficient_names) names.push_back(name);
  std::string text = fmt::format("{}\n", fmt::join(names, ","));
  Json rows = Json::array();
  for (const FlightState& state : states_of(arguments, polar)) {
    std::vector<double> values{state.alpha, state.beta, state.p, state.q, state.r};
    values.insert(values.end(), state.controls.begin(), state.controls.end());
    const LiftCoefficients found = coefficients(polar, state);
    for (const auto& [name, value] : coefficient_names) values.push_back(found.*value);
    text += fmt::format("{:.9g}\n", fmt::join(values, ","));
    Json& row = rows.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = values[k];
  }
  print(arguments.json ? dump(rows, 2) + "\n" : text);
  return exit_solved;
}

}  // namespace rankine::cases
