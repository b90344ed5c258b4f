#include "rankine/gpu/sums/derivative_map.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "rankine/fmm/gradient_terms.hpp"

namespace rankine::gpu {
namespace {

struct Coefficient {
  std::int32_t column;
  double value;
};
/// The nonzero coefficients of each row, which are few.
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

/// Calls visit(row, column, coefficient) for the nonzero entries of d/d(axis).
template <class Visit>
void visit_terms(const fmm::GradientTerms<double>& rule, int axis, const Visit& visit) {
  for (std::size_t row = 0; row < rule.terms(axis).size(); ++row) {
    const auto& [of, coefficient] = rule.terms(axis)[row];
    for (int i = 0; i < 2; ++i) {
      if (coefficient[i] != 0.0) visit(row, of[i], coefficient[i]);
    }
  }
}

/// Adds `factor` times d/d(axis) of expansions whose coefficients are given as rows.
void add_derivative(const fmm::GradientTerms<double>& rule, int axis, double factor, const Rows& of,
                    Rows& result) {
  result.resize(rule.terms(axis).size());
  visit_terms(rule, axis, [&](std::size_t row, std::int32_t from, double coefficient) {
    for (const auto& [column, value] : of[from])
      add(result[row], {column, factor * coefficient * value});
  });
}

Rows differentiate(const fmm::GradientTerms<double>& rule, int axis, const Rows& of) {
  Rows result;
  add_derivative(rule, axis, 1.0, of, result);
  return result;
}

/// The rows of the expansion itself; its coefficients begin at column `first`.
Rows identity(int order, std::int32_t first) {
  Rows rows(fmm::coefficient_count(order));
  for (std::size_t k = 0; k < rows.size(); ++k)
    rows[k] = {{first + static_cast<std::int32_t>(k), 1.0}};
  return rows;
}

/// The factors between the harmonics of fmm/harmonics.hpp and those of
/// gpu/sums/low_order_expansion.cuh.
double harmonic_factor(int n, int m) {
  double factor = 1.0;
  for (int k = 1; k <= m; ++k) factor *= fmm::RecursionFactors::diagonal(k);
  for (int k = m + 1; k <= n; ++k) factor *= fmm::RecursionFactors::up(k, m);
  return factor;
}

std::vector<double> harmonic_factors(int order) {
  std::vector<double> factors(fmm::coefficient_count(order));
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m)
      factors[fmm::coefficient_index(n, m)] = harmonic_factor(n, std::abs(m));
  }
  return factors;
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
  std::vector<Rows> sets;
  for (int axis = 0; axis < 3; ++axis)
    sets.push_back(differentiate(first, axis, identity(order, 0)));
  if (derivatives == Derivatives::first_and_second) {
    for (const auto& [a, b] : fmm::second_derivatives)
      sets.push_back(differentiate(second, b, sets[a]));
  }
  return packed<T>(sets, row_size);
}

template <class T>
DerivativeMap<T> curl_map(fmm::Harmonic kind, Derivatives derivatives, int order, int row_size) {
  const fmm::GradientTerms<double> first(kind, order), second(kind, first.derivative_order());
  std::vector<Rows> sets;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    Rows curl;
    add_derivative(first, a, 1.0, identity(order, of_component(b, 0)), curl);
    add_derivative(first, b, -1.0, identity(order, of_component(a, 0)), curl);
    sets.push_back(std::move(curl));
  }
  for (int c = 0; derivatives == Derivatives::first_and_second && c < 9; ++c)
    sets.push_back(differentiate(second, c % 3, sets[c / 3]));
  return packed<T>(sets, row_size);
}

template <class T>
DerivativeMap<T> low_order_map(int order, bool gradient) {
  const std::vector<double> factors = harmonic_factors(order);
  Rows rows(low_order_size(order, gradient));
  if (!gradient) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k] = {{static_cast<std::int32_t>(k), factors[k]}};
    return packed<T>({rows}, static_cast<int>(rows.size()));
  }
  rows[0] = {{0, 1.0}};
  const fmm::GradientTerms<double> rule(fmm::Harmonic::regular, order);
  for (int axis = 0; axis < 3; ++axis) {
    visit_terms(rule, axis, [&](std::size_t row, std::int32_t column, double coefficient) {
      rows[1 + 3 * row + axis].push_back({column, coefficient * factors[row]});
    });
  }
  return packed<T>({rows}, static_cast<int>(rows.size()));
}

template DerivativeMap<float> low_order_map<float>(int, bool);
template DerivativeMap<double> low_order_map<double>(int, bool);
template DerivativeMap<float> curl_map<float>(fmm::Harmonic, Derivatives, int, int);
template DerivativeMap<double> curl_map<double>(fmm::Harmonic, Derivatives, int, int);
template DerivativeMap<float> derivative_map<float>(fmm::Harmonic, Derivatives, int, int);
template DerivativeMap<double> derivative_map<double>(fmm::Harmonic, Derivatives, int, int);

}  // namespace rankine::gpu
