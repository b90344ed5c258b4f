#include "rankine/gpu/sums/cuda_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/leaf_groups.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/tuning.hpp"
#include "rankine/gpu/sums/derivative_map.hpp"
#include "rankine/gpu/sums/device_tree_builder.hpp"
#include "rankine/gpu/sums/direct_sum.hpp"
#include "rankine/gpu/sums/tree_operator.hpp"

namespace rankine::gpu {
namespace {

/// For a treecode it is larger, since the expansions of the general kernel, those of orders above 8
/// and of vortices, cost as much as many pairs.
int least_leaf_capacity(const fmm::Options& options) {
  if (options.method == fmm::Method::treecode) {
    const bool general = options.tolerance < 2e-4 || options.hessian || is_vortex(options.kernel);
    return general ? 512 : 128;
  }
  return options.precision == fmm::Precision::float64 ? 100 : 128;
}

/// The costs with which leaf capacities and lists are tuned, measured on an H200
/// (docs/performance.md). Other devices have other rates, but about the same ratios.
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
  // Each distance is used in both directions; passing the sums to the next lane takes some
  // instructions.
  const double pair = fmm::mutual_pairs(options, shared_points)
                          ? 1.2 * instruction * (0.5 * shared + own)
                          : one_way;
  // The cost of a coefficient at a point, in one-way pairs. Vortices have three expansions,
  // evaluated by the general kernel.
  const double coefficient = vortices ? 30.0 : order <= most_low_order ? 1.4 : 3.0;
  return {.pair = pair,
          .m2l = (vortices ? 3 : 1) * options.rhs * m2l,
          .m2p = coefficient * fmm::coefficient_count(order) * one_way};
}

/// Whether the device builds trees faster than the host, where launching kernels for few points
/// takes longer.
bool builds_on_device(const fmm::PointsExtent& extent) {
  constexpr std::int64_t many_points = 50'000;
  return std::int64_t{extent.sources} + extent.targets >= many_points;
}

/// `shared_points`: sources and targets are the same, so near pairs may be summed in both
/// directions at once (gpu/sums/mutual_sums.hpp).
fmm::Tuning tuning(const fmm::Options& options, bool shared_points) {
  return {.least_leaf_capacity = least_leaf_capacity(options),
          .costs = [=](int order) { return pass_costs(options, shared_points, order); },
          .quick_root_from = 1e-10};  // quick roots have errors of 1.2e-12 (gpu/sums/pair_tile.cuh)
}

}  // namespace

std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream,
                                                  const DeviceGroup* group) {
  const Stopwatch stopwatch;
  if (stream == nullptr) stream = std::make_shared<const Stream>();
  const DeviceScope scope(*stream->context());
  fmm::Options chosen = options;
  chosen.method = fmm::choose_method(points, options);
  if (chosen.method == fmm::Method::direct)
    return make_direct_operator(points, chosen, std::move(stream));
  fmm::check_options(points, options);
  const DevicePoints given(points, MemorySpace::host, *stream);
  fmm::TreeBuilder host;
  std::unique_ptr<DeviceTreeBuilder> device;
  if (builds_on_device(given.extent()))
    device = make_device_tree_builder(given, *stream, group ? &group->processes() : nullptr);
  const fmm::Plan plan = fmm::decide(points, chosen, device ? *device : host,
                                     tuning(chosen, given.extent().shared_points));
  if (plan.options.method == fmm::Method::direct)
    return make_direct_operator(points, plan.options, std::move(stream));
  DeviceTree tree = device ? device->take()
                           : build_device_tree(given, plan.options.leaf_capacity, plan.padding,
                                               *stream, plan.least_edge);
  device.reset();
  const auto make = [&]<class T>(T) -> std::unique_ptr<fmm::Operator> {
    return std::make_unique<TreeOperator<T>>(given, plan, std::move(tree), std::move(stream),
                                             stopwatch, group);
  };
  return plan.options.precision == fmm::Precision::float64 ? make(double{}) : make(float{});
}

}  // namespace rankine::gpu
