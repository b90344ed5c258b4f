// `rankine polar`: coefficients of a wing at many angles, from the derivatives of one solve.
#include <fmt/format.h>

#include "cases/lift/polar.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/verbs/verbs.hpp"

namespace rankine::cases {

int run(const PolarArguments& arguments) {
  const Polar polar = read_polar(arguments.results);
  std::string text = "alpha,beta,p,q,r";
  for (const auto& [name, value] : coefficient_names) text += fmt::format(",{}", name);
  text += "\n";
  Json rows = Json::array();
  for (const double beta : arguments.beta) {
    for (const double alpha : arguments.alpha) {
      const FlightState state{alpha, beta, arguments.p, arguments.q, arguments.r};
      const LiftCoefficients found = coefficients(polar, state);
      Json row{{"alpha", alpha}, {"beta", beta}, {"p", state.p}, {"q", state.q}, {"r", state.r}};
      text +=
          fmt::format("{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", alpha, beta, state.p, state.q, state.r);
      for (const auto& [name, value] : coefficient_names) {
        text += fmt::format(",{:.9g}", found.*value);
        row[name] = found.*value;
      }
      text += "\n";
      rows.push_back(std::move(row));
    }
  }
  print(arguments.json ? dump(rows, 2) + "\n" : text);
  return exit_solved;
}

}  // namespace rankine::cases
