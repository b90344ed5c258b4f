// Fits around several panels at once, each in a SIMD lane. One function per instruction set and number of values.
#pragma once

#include "rankine/bem/panels/plane_fit.hpp"

namespace rankine::bem {

/// The samples around several panels: sample k of lane l is at k * most + l, and 0 where the lane has no more.
struct SampleLanes {
  static constexpr int most = 8;
  static constexpr int most_values = 6;

  int samples;  ///< of the lane that has most
  const double *x, *y;
  const double* value[most_values];
  double count[most], least[most];  ///< samples of each lane; as of Whitening
};

/// Polynomials through the first values: results[value][lane].
using FitPlanes = void (*)(const SampleLanes& samples,
                           PlanePolynomial (*results)[SampleLanes::most]);
inline constexpr int most_fitted = 3;

/// What the last four values predict at the origin, as OriginPrediction: results[value][lane].
using PredictOrigins = void (*)(const SampleLanes& samples, double (*results)[SampleLanes::most]);
inline constexpr int predicted = 4;

}  // namespace rankine::bem
