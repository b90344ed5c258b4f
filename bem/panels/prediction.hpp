// What the values around a point in a plane predict for it, without its own.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/panels/plane_fit.hpp"

namespace rankine::bem {

/// Fills `weights` so that the sum of weights times what the samples hold is the value at the origin
/// of a quadratic through them, by least squares with the weights of fits (bem/panels/plane_fit.hpp); of a
/// plane or of a constant where they fix no more. Empty where there is no sample. The samples' values are
/// not used. `least`: as of Whitening.
void predict_origin(std::span<const PlaneSample> samples, double least,
                    std::vector<double>& weights);

}  // namespace rankine::bem
