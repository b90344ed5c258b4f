#include "rankine/bem/electric/conductors.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

void check(const Region& region, std::span<const std::int32_t> conductor, int conductors) {
  const bool known = std::all_of(conductor.begin(), conductor.end(),
                                 [&](std::int32_t each) { return each >= 0 && each < conductors; });
  if (conductor.size() != region.panels.size() || !known) {
    throw InputError("capacitance: give the conductor of every one of " +
                     std::to_string(region.panels.size()) + " panels, from 0 to " +
                     std::to_string(conductors - 1));
  }
}

}  // namespace

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
  check(region, conductor, conductors);
  const std::size_t n = region.panels.size(), count = static_cast<std::size_t>(conductors);
  std::vector<double> known(count * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) known[static_cast<std::size_t>(conductor[i]) * n + i] = 1.0;
  const BoundaryConditions conditions{std::vector<Known>(n, Known::potential)};
  RegionOptions of_all = options;
  of_all.initial_guess.clear();
  const std::vector<RegionSolution> solved =
      solve({region, conditions, std::move(known), count}, of_all, backend);
  if (!solved.front().complete()) throw Stopped("interrupted while the capacitance was sought");

  std::vector<double> found(count * count, 0.0);
  std::vector<GmresResult> gmres;
  std::vector<std::vector<double>> charges;
  for (const RegionSolution& each : solved) {
    std::vector<double>& charge = charges.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      charge.push_back(charge_density(region, i, each));
      found[static_cast<std::size_t>(conductor[i]) * count + charges.size() - 1] +=
          permittivity * region.panels.area[i] * charge[i];
    }
    gmres.push_back(each.gmres);
  }
  Capacitance result = symmetric(found, conductors, std::move(gmres));
  result.errors = charge_errors(region, conductor, charges, charges, permittivity, backend);
  return result;
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
