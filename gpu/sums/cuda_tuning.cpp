#include "rankine/gpu/sums/cuda_tuning.hpp"

#include <cmath>

#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/leaf_groups.hpp"
#include "rankine/gpu/sums/derivative_map.hpp"

namespace rankine::gpu {
namespace {

int least_leaf_capacity(const fmm::Options& options) {
  if (options.method == fmm::Method::treecode)
    return options.tolerance < 1e-5 || options.hessian ? 512 : 64;
  return options.precision == fmm::Precision::float64 ? 100 : 128;
}

fmm::PassCosts pass_costs(const fmm::Options& options, bool shared_points, int order) {
  const bool wide = options.precision == fmm::Precision::float64;
  // Instructions per pair: shared by all right-hand sides, and per right-hand side
  // (gpu/sums/pair_tile.cuh).
  const bool vortices = is_vortex(options.kernel);
  const int own = vortices           ? (options.gradient ? 58 : 40)
                  : options.gradient ? (options.dipoles ? 14 : 7)
                                     : (options.dipoles ? 6 : 1);
  const int shared = wide ? 9 : 7;
  const double instruction = wide ? 0.092e-12 : 0.053e-12;
  const double m2l =
      wide ? 1.7e-9 * std::pow(order / 16.0, 3.1) : 0.67e-9 * std::pow(order / 11.0, 2.7);
  const double one_way = instruction * (shared + options.rhs * own);
  // Each distance is used in both directions; passing the sums on costs some instructions.
  const double pair = fmm::mutual_pairs(options, shared_points)
                          ? 1.2 * instruction * (0.5 * shared + own)
                          : one_way;
  // The cost of a coefficient at a point, in one-way pairs. Vortices have three expansions, which
  // the general kernel evaluates.
  const double coefficient = vortices ? 30.0 : order <= most_low_order ? 1.4 : 3.0;
  return {.pair = pair,
          .m2l = (vortices ? 3 : 1) * options.rhs * m2l,
          .m2p = coefficient * fmm::coefficient_count(order) * one_way};
}

}  // namespace

fmm::Tuning tuning(const fmm::Options& options, bool shared_points) {
  return {.least_leaf_capacity = least_leaf_capacity(options),
          .costs = [=](int order) { return pass_costs(options, shared_points, order); },
          .quick_root_from = 1e-10};  // quick roots have errors of 1.2e-12 (gpu/sums/pair_tile.cuh)
}

}  // namespace rankine::gpu
