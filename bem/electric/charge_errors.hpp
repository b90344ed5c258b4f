// Errors of charges and energies of conductors, from the potential between collocation points.
//
// The layer S is symmetric. So charges sigma_j that miss the potential of conductor j by r_j change
// the capacitance, to first order, by the work of the charges on it, and a surface that is off by d
// changes it by the work of the field [J99 sec. 1.11],
//
//   dC_ij / epsilon  =  int sigma_i (r_j + sigma_j d) dA .
//
// r_j has two parts. Collocation leaves zero at one point of a panel; the variation over the panel
// is integrated, and is largest at edges, where constant charges miss the singularity. The other is
// the error of quadrature: the difference between the solid angle of the surface and 2 pi, times
// the potential. d follows from the angle between the panel and the surface fitted through the
// panels around. All of it is found on 24 panels (bem/layers/sampled_layers.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"

namespace rankine::bem {

struct ChargeErrors {
  std::array<std::vector<double>, 3> parts;  ///< of the matrix, conductors x conductors, F

  /// Of v^T C w, for potentials v and w of all conductors: the root of the sum of squares.
  double of(std::span<const double> v, std::span<const double> w) const;
};

/// `conductor` of every panel; -1: none. Charge densities over epsilon of every conductor at 1 V:
/// `total` makes the potential, `free` is that on the conductors; one may be the other.
ChargeErrors charge_errors(const Region& region, std::span<const std::int32_t> conductor,
                           const std::vector<std::vector<double>>& total,
                           const std::vector<std::vector<double>>& free, double permittivity,
                           Backend& backend);

}  // namespace rankine::bem
