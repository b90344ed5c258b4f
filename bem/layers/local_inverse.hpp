// Approximate inverses of boundary operators, to precondition GMRES with.
//
// Close by, an integral equation is a dense matrix of what its near entries and sums make together. Panels
// are taken in clusters I; each is solved for with the panels E around it that it couples with most, and
// keeps its own part of the answer [CS99],
//
//   M_1 r  =  sum over I of  R_I^T [ A_EE^-1 ]_{I,E} R_E r ,
//
// a sparse matrix in the end. An equation of the first kind has large eigenvalues that no small patch
// knows: those of densities which vary slowly. They are solved for by densities that are constant on
// larger clusters, Z, whose equation holds in the mean, W, [HST98]
//
//   M r  =  M_1 (r - Z W r) + Z A_c^-1 W r ,    A_c = W A Z .
#pragma once

#include <cstddef>
#include <memory>

#include "rankine/bem/layers/equation.hpp"
#include "rankine/bem/layers/layer_set.hpp"

namespace rankine::bem {

/// Clusters of the coarse level: enough to matter, and a dense matrix of a few megabytes.
inline constexpr int most_coarse_clusters = 512;

struct LocalInverseOptions {
  int cluster = 32;  ///< most panels whose answer is kept
  int patch = 128;   ///< most panels that are solved for together
  int coarse = 0;    ///< most clusters with a constant density each; 0: none
};

/// M, rows x unknowns, in the memory of the layers' backend. Near corrections of the equation's layers are
/// assembled if they are not there yet. What has rank one is not looked at. Throws InputError where rows and
/// unknowns are not as many.
std::unique_ptr<LinearOperator> local_inverse(LayerSet& layers, const Equation& equation,
                                              const LocalInverseOptions& options);

}  // namespace rankine::bem
