// Approximate inverses of boundary operators, which precondition GMRES.
//
// Locally an integral equation is a dense matrix of near entries plus sums. Panels are divided into
// clusters I. The equation is solved for each cluster together with the panels E around it that
// couple with it most, and only the cluster's part of the result is kept [CS99],
//
//   M_1 r  =  sum over I of  R_I^T [ A_EE^-1 ]_{I,E} R_E r ,
//
// which is a sparse matrix. Small patches cannot represent the large eigenvalues of an equation of
// the first kind, which belong to slowly varying densities. A second level solves for these:
// densities that are constant on larger clusters, Z, for which the equation holds in the mean, W
// [HST98],
//
//   M r  =  M_1 (r - Z W r) + Z A_c^-1 W r ,    A_c = W A Z .
#pragma once

#include <cstddef>
#include <memory>

#include "rankine/bem/layers/equation.hpp"
#include "rankine/bem/layers/layer_set.hpp"

namespace rankine::bem {

/// The largest number of clusters of the coarse level; its dense matrix takes a few megabytes.
inline constexpr int most_coarse_clusters = 512;

struct LocalInverseOptions {
  int cluster = 32;  ///< largest number of panels in I
  int patch = 128;   ///< largest number of panels in E
  int coarse = 0;    ///< largest number of clusters of the coarse level; 0: no such level
};

/// M, rows x unknowns, in the memory of the layers' backend. Near corrections of the equation's
/// layers are integrated if they do not exist yet. Terms of rank one are left out. Throws
/// InputError if the numbers of rows and unknowns differ.
std::unique_ptr<LinearOperator> local_inverse(LayerSet& layers, const Equation& equation,
                                              const LocalInverseOptions& options);

}  // namespace rankine::bem
