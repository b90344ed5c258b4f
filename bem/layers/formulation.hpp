// Boundary conditions per panel, and the integral equations for the fluid side of closed surfaces,
// as data.
//
// With q = dphi/dn, n into the fluid, and on every panel either phi or q known:
//
//   green    phi/2 - D phi + S q = 0              unknown: the one of phi and q that is not known
//   source   S sigma             = phi            where phi is known,
//            -sigma/2 + K' sigma = q              where q is known;    unknown: sigma
//
// green is direct [MK74], source indirect [HS67]. The signs follow from bem/layers/layers.hpp:
// Green's formula is phi = D phi - S q; on the fluid side D phi jumps by +phi/2 and n.grad S sigma
// by -sigma/2. Both equations also hold inside closed surfaces, since n points into the fluid there
// as well; D 1 is then +1/2 instead of -1/2. Off the surface phi = S c + D m in both formulations,
// with a charge density c and a doublet density m.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/layers/equation.hpp"

namespace rankine::bem {

/// The quantity prescribed by a boundary condition.
enum class Known { flux, potential };

struct BoundaryConditions {
  std::vector<Known> known{};  ///< per panel; empty: the flux everywhere

  /// The quantity known on panel i.
  Known at(std::size_t i) const { return known.empty() ? Known::flux : known[i]; }
  /// 1 on panels where `what` is known, 0 elsewhere.
  Diagonal where(Known what) const;
  bool everywhere(Known what) const;
};

/// An integral equation for unknowns x from known values f, and the results as functions of both.
struct BoundaryFormulation {
  Equation system;                  ///< A of A x = B f
  Equation data;                    ///< B
  Equation potential;               ///< phi at the collocation points: this operator applied to x
  Equation known_potential;         ///< plus this of f
  Equation flux;                    ///< q there: this operator applied to x; only its jump if it
                                    ///< has no terms
  Diagonal known_flux;              ///< plus this of f
  Diagonal charge, known_charge;    ///< c: these factors times x and f
  Diagonal doublet, known_doublet;  ///< m: these factors times x and f
};

BoundaryFormulation green_formulation(const BoundaryConditions& conditions = {});
BoundaryFormulation source_formulation(const BoundaryConditions& conditions = {});

/// If only the flux is known inside a closed surface, A is singular: constant potentials have no
/// flux, and a solution exists only for data without a net flux. Adds 1 a^T to A, where a are the
/// panels' fractions of the area. Then A is regular, and the mean of the unknown is zero for data
/// without a net flux.
void fix_constant(BoundaryFormulation& formulation, std::span<const double> area);

/// green_formulation() with sheets of doublets in the fluid (bem/layers/source_set.hpp), whose
/// strengths are m = rows x + g,
///
///   phi/2 - D phi - D_sheet m + S q = 0 ,   m - rows x = g ;
///
/// `rows`: sheet unknowns x all unknowns; g: the known values of these rows.
BoundaryFormulation green_with_sheets(const BoundaryConditions& conditions, const SparseRows& rows);

}  // namespace rankine::bem
