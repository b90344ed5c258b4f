#include "rankine/bem/electric/conductors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/bem/dense_matrix.hpp"
#include "rankine/bem/electric/dielectrics.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {

bool Capacitance::converged() const {
  return std::all_of(gmres.begin(), gmres.end(),
                     [](const GmresResult& each) { return each.status == GmresStatus::converged; });
}

Capacitance symmetric(const std::vector<double>& found, int conductors,
                      std::vector<GmresResult> gmres) {
  const auto count = static_cast<std::size_t>(conductors);
  Capacitance result{.conductors = conductors, .matrix = found, .gmres = std::move(gmres)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const double a = found[i * count + j], b = found[j * count + i];
      result.matrix[i * count + j] = 0.5 * (a + b);
      const double unit = std::sqrt(std::abs(found[i * count + i] * found[j * count + j]));
      result.asymmetry = std::max(result.asymmetry, std::abs(a - b) / unit);
    }
  }
  return result;
}

Capacitance capacitance(const Region& region, std::span<const std::int32_t> conductor,
                        int conductors, double permittivity, const RegionOptions& options,
                        Backend& backend) {
  return respond(one_medium(region, conductor, conductors, permittivity / vacuum_permittivity,
                            options.formulation),
                 options, backend)
      .capacitance;
}

std::vector<double> potentials(const Capacitance& capacitance,
                               std::span<const std::optional<double>> given,
                               std::span<const double> charge, Domain domain) {
  const int count = capacitance.conductors;
  std::vector<int> open;
  for (int i = 0; i < count; ++i) {
    if (!given[static_cast<std::size_t>(i)]) open.push_back(i);
  }
  if (domain == Domain::interior && open.size() == given.size()) {
    throw InputError(
        "no conductor has a potential, and inside a closed one charges determine only differences "
        "of potentials; give one conductor a potential");
  }
  std::vector<double> volts;
  for (const std::optional<double>& each : given) volts.push_back(each.value_or(0.0));
  DenseMatrix matrix(open.size(), open.size());
  std::vector<double> right(open.size());
  for (std::size_t r = 0; r < open.size(); ++r) {
    const int i = open[r];
    right[r] = charge[static_cast<std::size_t>(i)];
    for (int j = 0; j < count; ++j)
      right[r] -= capacitance(i, j) * volts[static_cast<std::size_t>(j)];
    for (std::size_t c = 0; c < open.size(); ++c) matrix(r, c) = capacitance(i, open[c]);
  }
  if (open.empty()) return volts;
  const std::vector<double> found = solve(matrix, right);
  for (std::size_t r = 0; r < open.size(); ++r) volts[static_cast<std::size_t>(open[r])] = found[r];
  return volts;
}

}  // namespace rankine::bem
