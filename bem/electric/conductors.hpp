// Conductors in a dielectric: the capacitance matrix, and potentials and charges that follow from
// it.
//
//   Q_i = sum_j C_ij V_j ,     C_ij = -epsilon int_i dphi_j/dn dA           [J99 sec. 1.11]
//
// where phi_j is the potential if conductor j has 1 V and all others 0 V. n points into the
// dielectric, which is outside the conductors or inside the one that encloses it. All conductors
// are solved together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/electric/charge_errors.hpp"
#include "rankine/bem/fields/boundary_fields.hpp"

namespace rankine::bem {

/// Permittivity of vacuum, F/m (CODATA 2018).
inline constexpr double vacuum_permittivity = 8.8541878128e-12;

struct Capacitance {
  int conductors = 0;
  std::vector<double> matrix;  ///< conductors x conductors, symmetric, F
  double asymmetry = 0.0;      ///< largest |C_ij - C_ji| / sqrt(C_ii C_jj) of the computed matrix
  std::vector<GmresResult> gmres;
  ChargeErrors errors{};  ///< estimated

  double operator()(int i, int j) const {
    return matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(conductors) +
                  static_cast<std::size_t>(j)];
  }
  bool converged() const;
};

/// The mean of the computed matrix `found` (conductors x conductors) and its transpose, with the
/// asymmetry.
Capacitance symmetric(const std::vector<double>& found, int conductors,
                      std::vector<GmresResult> gmres);

/// The capacitance matrix of conductors in one medium (bem/electric/media.hpp). `conductor`: the
/// conductor of every panel, 0 to conductors - 1. Throws InputError for indices that do not fit,
/// and Stopped.
Capacitance capacitance(const Region& region, std::span<const std::int32_t> conductor,
                        int conductors, double permittivity, const RegionOptions& options,
                        Backend& backend);

/// Potentials of all conductors, V: those in `given`; the others follow from their `charge`, C.
/// Throws InputError if charges alone do not determine the potential, as inside a closed conductor.
std::vector<double> potentials(const Capacitance& capacitance,
                               std::span<const std::optional<double>> given,
                               std::span<const double> charge, Domain domain);

}  // namespace rankine::bem
