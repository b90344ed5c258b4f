#include "rankine/bem/layers/formulation.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace rankine::bem {
namespace {

constexpr Diagonal none() { return {.factor = 0.0}; }

/// Appends `more` entries with this `value` after the first `boundary` entries.
void extend(Diagonal& diagonal, std::size_t boundary, std::size_t more, double value) {
  if (diagonal.is_zero()) diagonal = {1.0, std::vector<double>(boundary, 0.0)};
  if (diagonal.is_uniform()) diagonal.values.assign(boundary, 1.0);
  diagonal.values.resize(boundary);
  diagonal.values.resize(boundary + more, value / diagonal.factor);
}

/// n x n, n the columns of `rows`: empty above, 1 - rows in the last rows.
SparseRows identity_minus(const SparseRows& rows, std::size_t above) {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  pattern->offsets.resize(above + 1, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::int64_t k = rows.pattern->offsets[i]; k < rows.pattern->offsets[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      pattern->columns.push_back(rows.pattern->columns[at]);
      values.push_back(-rows.values[at]);
    }
    pattern->columns.push_back(static_cast<std::int32_t>(above + i));
    values.push_back(1.0);
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  return {rows.columns, std::move(pattern), std::move(values)};
}

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

BoundaryFormulation green_with_sheets(const BoundaryConditions& conditions,
                                      const SparseRows& rows) {
  const std::size_t n = rows.columns, sheets = rows.rows(), boundary = n - sheets;
  BoundaryFormulation f = green_formulation(conditions);
  for (Equation* const equation : {&f.system, &f.data}) {
    for (Term& term : equation->terms) {
      extend(term.right, boundary, sheets, 0.0);
      extend(term.left, boundary, sheets, 0.0);
    }
  }
  extend(f.system.terms.front().right, boundary, sheets, -1.0);
  extend(f.doublet, boundary, sheets, 1.0);
  extend(f.data.jump, boundary, sheets, 1.0);
  for (Diagonal* const each :
       {&f.system.jump, &f.potential.jump, &f.known_potential.jump, &f.flux.jump, &f.known_flux,
        &f.charge, &f.known_charge, &f.known_doublet})
    extend(*each, boundary, sheets, 0.0);
  f.system.sparse = std::make_shared<SparseRows>(identity_minus(rows, boundary));
  return f;
}

void fix_constant(BoundaryFormulation& formulation, std::span<const double> area) {
  const double total = std::accumulate(area.begin(), area.end(), 0.0);
  RankOne& mean = formulation.system.rank_one.emplace_back();
  mean.left.assign(area.size(), 1.0);
  for (const double each : area) mean.right.push_back(each / total);
}

}  // namespace rankine::bem
