// The functions of this folder that are compiled once per instruction set.
#pragma once

#include <array>

#include "rankine/bem/particles/moment_fractions.hpp"
#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_sums.hpp"
#include "rankine/bem/simd/plane_fits.hpp"

namespace rankine::bem {

struct SimdFunctions {
  // sum_nodes, integrate_flat and integrate_curved are indexed by index_of(IntegralSet).
  std::array<SumNodes, integral_sets> sum_nodes;
  SumFields sum_fields;
  /// Null for sets of integrals that no combination of layers uses.
  std::array<IntegrateTriangles, integral_sets> integrate_flat, integrate_curved;
  TriangleMoments triangle_moments;
  std::array<FitPlanes, most_fitted> fit_planes;  ///< for 1, 2 and 3 values
  PredictOrigins predict_origins;
  FindFractions find_fractions;
};

/// The functions of the best instruction set of this processor.
const SimdFunctions& simd_functions();

}  // namespace rankine::bem
