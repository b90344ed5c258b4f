// The fits of bem/panels over SIMD lanes (bem/simd/plane_fits.hpp). Only instruction_set.cpp
// includes this file.
#pragma once

#include "rankine/bem/panels/prediction.hpp"
#include "rankine/bem/simd/lanes.hpp"
#include "rankine/bem/simd/plane_fits.hpp"

namespace rankine::bem::RANKINE_SIMD {

/// samples(k) of the lanes from `from` on, with `Values` values starting at `first`.
template <int Values>
struct LoadSamples {
  const SampleLanes& all;
  int from, first;

  RANKINE_INLINE PlaneSamples<Values, Lanes> operator()(int k) const {
    const int at = k * SampleLanes::most + from;
    PlaneSamples<Values, Lanes> s{Lanes::load(all.x + at), Lanes::load(all.y + at), {}};
    for (int v = 0; v < Values; ++v) s.values[v] = Lanes::load(all.value[first + v] + at);
    return s;
  }
};

template <int Values>
void fit_planes(const SampleLanes& samples, PlanePolynomial (*results)[SampleLanes::most]) {
  for (int from = 0; from < SampleLanes::most; from += Lanes::width) {
    const PlaneFits<Values, Lanes> fits(samples.samples, Lanes::load(samples.count + from),
                                        LoadSamples<Values>{samples, from, 0},
                                        Lanes::load(samples.least + from));
    const auto found = fits.polynomials();
    for (int v = 0; v < Values; ++v) {
      for (int l = 0; l < Lanes::width; ++l) {
        PlanePolynomial& result = results[v][from + l];
        for (int k = 0; k < 9; ++k) result.s[k] = found[v].s[k].v[l];
        for (int k = 0; k < 3; ++k) result.axes[k] = found[v].axes[k].v[l];
        result.terms = found[v].terms.v[l];
      }
    }
  }
}

inline void predict_origins(const SampleLanes& samples, double (*results)[SampleLanes::most]) {
  constexpr int first = SampleLanes::most_values - predicted;
  for (int from = 0; from < SampleLanes::most; from += Lanes::width) {
    const OriginPrediction<predicted, Lanes> prediction(
        samples.samples, Lanes::load(samples.count + from),
        LoadSamples<predicted>{samples, from, first}, Lanes::load(samples.least + from));
    const auto found = prediction.values();
    for (int v = 0; v < predicted; ++v) found[v].store(results[v] + from);
  }
}

}  // namespace rankine::bem::RANKINE_SIMD
