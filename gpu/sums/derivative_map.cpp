#include "rankine/gpu/sums/derivative_map.hpp"

#include <algorithm>

#include "rankine/fmm/gradient_terms.hpp"

namespace rankine::gpu {
namespace {

struct Coefficient {
  std::int32_t column;
  double value;
};
/// The few coefficients of each row that are not zero.
using Rows = std::vector<std::vector<Coefficient>>;

void add(std::vector<Coefficient>& row, const Coefficient& part) {
  for (Coefficient& each : row) {
    if (each.column == part.column) {
      each.value += part.value;
      return;
    }
  }
  row.push_back(part);
}

/// d/d(axis) of expansions whose coefficients are given as rows.
Rows differentiate(const fmm::GradientTerms<double>& rule, int axis, const Rows& of) {
  Rows result(fmm::coefficient_count(rule.derivative_order()));
  for (const auto& term : rule.terms(axis)) {
    for (const auto& [column, value] : of[term.of])
      add(result[term.in], {column, term.coefficient * value});
  }
  return result;
}

template <class T>
DerivativeMap<T> packed(const std::vector<Rows>& sets, int row_size) {
  DerivativeMap<T> map;
  map.rows = static_cast<std::int32_t>(sets.size()) * row_size;
  for (const Rows& rows : sets) {
    for (const auto& row : rows)
      map.width = std::max(map.width, static_cast<std::int32_t>(row.size()));
  }
  map.entries.resize(static_cast<std::size_t>(map.rows) * map.width);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t r = 0; r < sets[s].size(); ++r) {
      std::size_t at = s * row_size + r;
      for (const auto& [column, value] : sets[s][r]) {
        map.entries[at] = {column, static_cast<T>(value)};
        at += map.rows;
      }
    }
  }
  return map;
}

}  // namespace

template <class T>
DerivativeMap<T> derivative_map(fmm::Harmonic kind, Derivatives derivatives, int order,
                                int row_size) {
  const fmm::GradientTerms<double> first(kind, order), second(kind, first.derivative_order());
  Rows identity(fmm::coefficient_count(order));
  for (std::size_t k = 0; k < identity.size(); ++k)
    identity[k] = {{static_cast<std::int32_t>(k), 1.0}};
  std::vector<Rows> sets;
  for (int axis = 0; axis < 3; ++axis) sets.push_back(differentiate(first, axis, identity));
  if (derivatives == Derivatives::first_and_second) {
    for (const auto& [a, b] : fmm::second_derivatives)
      sets.push_back(differentiate(second, b, sets[a]));
  }
  return packed<T>(sets, row_size);
}

template DerivativeMap<float> derivative_map<float>(fmm::Harmonic, Derivatives, int, int);
template DerivativeMap<double> derivative_map<double>(fmm::Harmonic, Derivatives, int, int);

}  // namespace rankine::gpu
