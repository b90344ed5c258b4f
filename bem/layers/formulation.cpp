#include "rankine/bem/layers/formulation.hpp"

#include <algorithm>
#include <numeric>

namespace rankine::bem {
namespace {

constexpr Diagonal none() { return {.factor = 0.0}; }

}  // namespace

Diagonal BoundaryConditions::where(Known what) const {
  const auto count = static_cast<std::size_t>(std::count(known.begin(), known.end(), what));
  if (known.empty()) return {.factor = what == Known::flux ? 1.0 : 0.0};
  if (count == 0 || count == known.size()) return {.factor = count == 0 ? 0.0 : 1.0};
  Diagonal diagonal;
  for (const Known each : known) diagonal.values.push_back(each == what ? 1.0 : 0.0);
  return diagonal;
}

bool BoundaryConditions::everywhere(Known what) const {
  if (known.empty()) return what == Known::flux;
  return std::all_of(known.begin(), known.end(), [&](Known each) { return each == what; });
}

BoundaryFormulation green_formulation(const BoundaryConditions& conditions) {
  // phi = P f + F x and q = F f + P x
  const Diagonal F = conditions.where(Known::flux), P = conditions.where(Known::potential);
  return {.system = {{{Layer::double_layer, -1.0 * F}, {Layer::single_layer, P}}, 0.5 * F},
          .data = {{{Layer::double_layer, P}, {Layer::single_layer, -1.0 * F}}, -0.5 * P},
          .potential = {{}, F},
          .known_potential = {{}, P},
          .flux = {{}, P},
          .known_flux = F,
          .charge = -1.0 * P,
          .known_charge = -1.0 * F,
          .doublet = F,
          .known_doublet = P};
}

BoundaryFormulation source_formulation(const BoundaryConditions& conditions) {
  const Diagonal F = conditions.where(Known::flux), P = conditions.where(Known::potential);
  return {
      .system = {{{Layer::adjoint_double_layer, {}, F}, {Layer::single_layer, {}, P}}, -0.5 * F},
      .data = {{}, {}},
      .potential = {{{Layer::single_layer}}},
      .known_potential = {},
      .flux = {{{Layer::adjoint_double_layer, {}, P}}, -0.5 * P},
      .known_flux = F,
      .charge = {},
      .known_charge = none(),
      .doublet = none(),
      .known_doublet = none()};
}

void fix_constant(BoundaryFormulation& formulation, std::span<const double> area) {
  const double total = std::accumulate(area.begin(), area.end(), 0.0);
  RankOne& mean = formulation.system.rank_one.emplace_back();
  mean.left.assign(area.size(), 1.0);
  for (const double each : area) mean.right.push_back(each / total);
}

}  // namespace rankine::bem
