// Fits around several panels at a time, each in a SIMD lane. There is one function per instruction
// set and number of values.
#pragma once

#include "rankine/bem/panels/plane_fit.hpp"

namespace rankine::bem {

/// The samples around several panels. Sample k of lane l is at k * most + l; it is 0 if the lane
/// has fewer samples.
struct SampleLanes {
  static constexpr int most = 8;
  static constexpr int most_values = 6;

  int samples;  ///< largest number of samples of a lane
  const double *x, *y;
  const double* value[most_values];
  double count[most], least[most];  ///< samples of each lane; `least` as for Whitening
};

/// Polynomials fitted to the first values: results[value][lane].
using FitPlanes = void (*)(const SampleLanes& samples,
                           PlanePolynomial (*results)[SampleLanes::most]);
inline constexpr int most_fitted = 3;

/// Predictions of the last four values at the origin, as in OriginPrediction: results[value][lane].
using PredictOrigins = void (*)(const SampleLanes& samples, double (*results)[SampleLanes::most]);
inline constexpr int predicted = 4;

}  // namespace rankine::bem
