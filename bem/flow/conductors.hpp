// Conductors in a dielectric: the capacitance matrix, and potentials and charges that follow from it.
//
//   Q_i = sum_j C_ij V_j ,     C_ij = -epsilon int_i dphi_j/dn dA           [J99 sec. 1.11]
//
// phi_j the potential where conductor j has 1 V and all others have none; n points into the dielectric,
// outside the conductors or inside the one that encloses it. All conductors are solved for together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// Permittivity of vacuum, F/m (CODATA 2018).
inline constexpr double vacuum_permittivity = 8.8541878128e-12;

struct Capacitance {
  int conductors = 0;
  std::vector<double> matrix;  ///< conductors x conductors, symmetric, F
  double asymmetry = 0.0;      ///< largest |C_ij - C_ji| / sqrt(C_ii C_jj) of the matrix found
  std::vector<GmresResult> gmres;

  double operator()(int i, int j) const {
    return matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(conductors) +
                  static_cast<std::size_t>(j)];
  }
  bool converged() const;
};

/// Of the matrix found, conductors x conductors: the mean of it and its transpose, with what they differ by.
Capacitance symmetric(const std::vector<double>& found, int conductors,
                      std::vector<GmresResult> gmres);

/// Charge over the permittivity, V/m, of a panel with the flux and the charge density of a solution: of the
/// side that n points to, of both where the panel is thin.
inline double charge_density(const FlowProblem& problem, std::size_t panel, double flux,
                             std::span<const double> charge) {
  const bool thin = !problem.thin.empty() && problem.thin[panel] != 0;
  return thin ? charge[panel] : -flux;
}

/// `conductor`: that of every panel of `problem`, 0 to conductors - 1; its conditions are not looked at.
/// Throws InputError for indices that do not fit; Stopped.
Capacitance capacitance(const FlowProblem& problem, std::span<const std::int32_t> conductor,
                        int conductors, double permittivity, const FlowOptions& options,
                        Backend& backend);

/// Potentials where those in `given` are kept, V, and the others have the `charge`, C. Throws InputError
/// where charges alone leave the potential open: inside, where only differences count.
std::vector<double> potentials(const Capacitance& capacitance,
                               std::span<const std::optional<double>> given,
                               std::span<const double> charge, Domain domain);

}  // namespace rankine::bem
