// Boundary conditions per panel, and the integral equations that solve them on the side of closed
// surfaces where the fluid is, as data.
//
// With q = dphi/dn, n into the fluid, and phi and q known where a condition gives them:
//
//   green    phi/2 - D phi + S q = 0              unknown: the one of phi and q that is not known
//   source   S sigma             = phi            where phi is known,
//            -sigma/2 + K' sigma = q              where q is known;    unknown: sigma
//
// green is direct [MK74], source indirect [HS67]. The signs follow from bem/layers/layers.hpp:
// Green's formula is phi = D phi - S q; on the fluid side D phi jumps by +phi/2 and n.grad S sigma
// by -sigma/2. Both hold inside closed surfaces as they do outside, since n points into the fluid
// there, too; D 1 is then +1/2 and not -1/2. Off the surface both are phi = S c + D m with a charge
// density c and a doublet density m.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/layers/equation.hpp"

namespace rankine::bem {

/// What a boundary condition gives.
enum class Known { flux, potential };

struct BoundaryConditions {
  std::vector<Known> known{};  ///< per panel; empty: the flux everywhere

  /// Of panel i.
  Known at(std::size_t i) const { return known.empty() ? Known::flux : known[i]; }
  /// One where `what` is known, zero elsewhere.
  Diagonal where(Known what) const;
  bool everywhere(Known what) const;
};

/// An integral equation for unknowns x from known values f, and what follows from both.
struct BoundaryFormulation {
  Equation system;                  ///< A of A x = B f
  Equation data;                    ///< B
  Equation potential;               ///< phi at the collocation points: this of x
  Equation known_potential;         ///< plus this of f
  Equation flux;                    ///< q there: this of x, whose jump alone if it has no terms
  Diagonal known_flux;              ///< plus this of f
  Diagonal charge, known_charge;    ///< c of x, and of f
  Diagonal doublet, known_doublet;  ///< m of x, and of f
};

BoundaryFormulation green_formulation(const BoundaryConditions& conditions = {});
BoundaryFormulation source_formulation(const BoundaryConditions& conditions = {});

/// Where the flux alone is known inside a closed surface, potentials that are constant in the fluid
/// have none: A is singular, and solvable for data without a net flux alone. Adds 1 a^T to A, a the
/// panels' shares of the area, so that A is regular and the mean of the unknown is zero where the
/// data allow it.
void fix_constant(BoundaryFormulation& formulation, std::span<const double> area);

/// green_formulation() with sheets of doublets in the fluid (bem/layers/source_set.hpp), whose
/// strengths m follow from rows x + g,
///
///   phi/2 - D phi - D_sheet m + S q = 0 ,   m - rows x = g ;
///
/// `rows`: sheet unknowns x all unknowns; g: the known values of these rows.
BoundaryFormulation green_with_sheets(const BoundaryConditions& conditions, const SparseRows& rows);

}  // namespace rankine::bem
