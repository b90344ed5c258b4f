// Estimates errors of the charges and energies of conductors, from the potential between
// collocation points.
//
// The layer S is symmetric. If the charges sigma_j give a potential with the error r_j on conductor
// j, the error of the capacitance is, to first order, the integral of r_j with the charges sigma_i
// as weight. If the panels are displaced by d, the work of the field is added [J99 sec. 1.11],
//
//   dC_ij / epsilon  =  int sigma_i (r_j + sigma_j d) dA .
//
// r_j has two parts. One is its variation over the panel, from 0 at the collocation point; it is
// largest at edges, where constant charges do not represent the singularity. The other is the
// quadrature error: the potential times the difference between 2 pi and the computed solid angle of
// the surface. d follows from the angle between the panel and a surface fitted to the
// neighbouring panels. These integrals are evaluated on 24 panels (bem/layers/sampled_layers.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"

namespace rankine::bem {

struct ChargeErrors {
  std::array<std::vector<double>, 3> parts;  ///< of the matrix, conductors x conductors, F

  /// The error of v^T C w for potentials v and w of all conductors: the root of the sum of squares
  /// of the parts.
  double of(std::span<const double> v, std::span<const double> w) const;
};

/// `conductor`: that of every panel; -1: none. `total` and `free`: charge densities over epsilon,
/// one vector for each conductor at 1 V. The total charge generates the potential; the free charge
/// is on the conductors. `total` and `free` may be the same.
ChargeErrors charge_errors(const Region& region, std::span<const std::int32_t> conductor,
                           const std::vector<std::vector<double>>& total,
                           const std::vector<std::vector<double>>& free, double permittivity,
                           Backend& backend);

}  // namespace rankine::bem
