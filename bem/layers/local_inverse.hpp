// Approximate inverses of boundary operators, which precondition GMRES.
//
// Panels are divided into clusters I. For each cluster the equation is solved, as a dense matrix,
// on a patch E: the cluster and the surrounding panels that couple with it most. Only the cluster's
// part of the result is kept [CS99],
//
//   M_1 r  =  sum over I of  R_I^T [ A_EE^-1 ]_{I,E} R_E r ,
//
// which is a sparse matrix. Small patches cannot represent the large eigenvalues of an equation of
// the first kind, which belong to slowly varying densities. A second level solves for these: Z are
// densities that are constant on larger clusters, and W takes the means of the equation over these
// clusters [HST98],
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

/// With wakes. The circulation of a section changes potentials far along it, and these patches
/// halve the iterations.
inline constexpr LocalInverseOptions patches_beside_wakes{.cluster = 128, .patch = 512};

/// M, rows x unknowns, in the memory of the layers' backend. Patches are inverted in single
/// precision. Near corrections of the equation's layers are integrated if they do not exist yet.
/// Terms of rank one are ignored. Throws InputError if the numbers of rows and unknowns differ.
std::unique_ptr<LinearOperator> local_inverse(LayerSet& layers, const Equation& equation,
                                              const LocalInverseOptions& options);

}  // namespace rankine::bem
