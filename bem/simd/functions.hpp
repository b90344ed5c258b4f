// The functions of this folder that are compiled once per instruction set.
#pragma once

#include <array>

#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_sums.hpp"
#include "rankine/bem/simd/plane_fits.hpp"

namespace rankine::bem {

struct SimdFunctions {
  // By index_of() the integrals.
  std::array<SumNodes, integral_sets> sum_nodes;
  /// Null for sets of integrals that no layers have together.
  std::array<IntegrateTriangles, integral_sets> integrate_flat, integrate_curved;
  std::array<FitPlanes, most_fitted> fit_planes;  ///< of 1, 2 and 3 values
  PredictOrigins predict_origins;
};

/// Those of the best instruction set that this processor runs.
const SimdFunctions& simd_functions();

}  // namespace rankine::bem
