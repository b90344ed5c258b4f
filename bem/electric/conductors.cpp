#include "rankine/bem/electric/conductors.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

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
  const auto unknowns = static_cast<Eigen::Index>(open.size());
  if (domain == Domain::interior && unknowns == count) {
    throw InputError(
        "no conductor has a potential, and inside a closed one charges determine only differences "
        "of potentials; give one conductor a potential");
  }
  std::vector<double> volts;
  for (const std::optional<double>& each : given) volts.push_back(each.value_or(0.0));
  Eigen::MatrixXd matrix(unknowns, unknowns);
  Eigen::VectorXd right(unknowns);
  for (Eigen::Index r = 0; r < unknowns; ++r) {
    const int i = open[static_cast<std::size_t>(r)];
    right[r] = charge[static_cast<std::size_t>(i)];
    for (int j = 0; j < count; ++j)
      right[r] -= capacitance(i, j) * volts[static_cast<std::size_t>(j)];
    for (Eigen::Index c = 0; c < unknowns; ++c)
      matrix(r, c) = capacitance(i, open[static_cast<std::size_t>(c)]);
  }
  if (unknowns == 0) return volts;
  const Eigen::VectorXd found = matrix.ldlt().solve(right);
  for (Eigen::Index r = 0; r < unknowns; ++r)
    volts[static_cast<std::size_t>(open[static_cast<std::size_t>(r)])] = found[r];
  return volts;
}

}  // namespace rankine::bem
