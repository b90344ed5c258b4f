#include "rankine/gpu/sums/cuda_operator.hpp"

#include <utility>

#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/sums/cuda_tuning.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/direct_sum.hpp"
#include "rankine/gpu/sums/tree_operator.hpp"

namespace rankine::gpu {
namespace {

/// The faster builder: the device for many points, the host for few, where launching the kernels
/// would take longer.
std::unique_ptr<fmm::TreeBuilder> tree_builder(const DevicePoints& points, const Stream& stream) {
  constexpr std::int64_t many_points = 50'000;
  const fmm::PointsExtent& extent = points.extent();
  if (std::int64_t{extent.sources} + extent.targets >= many_points)
    return make_device_tree_builder(points, stream);
  return std::make_unique<fmm::TreeBuilder>();
}

}  // namespace

std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream) {
  const Stopwatch stopwatch;
  if (stream == nullptr) stream = std::make_shared<const Stream>();
  const DeviceScope scope(*stream->context());
  fmm::Options chosen = options;
  chosen.method = fmm::choose_method(points, options);
  if (chosen.method == fmm::Method::direct)
    return make_direct_operator(points, chosen, std::move(stream));
  fmm::check_options(points, options);
  const DevicePoints given(points, MemorySpace::host, *stream);
  const fmm::Plan plan = fmm::decide(points, chosen, *tree_builder(given, *stream),
                                     tuning(chosen, given.extent().shared_points));
  if (plan.options.method == fmm::Method::direct)
    return make_direct_operator(points, plan.options, std::move(stream));
  if (plan.options.precision == fmm::Precision::float64)
    return std::make_unique<TreeOperator<double>>(given, plan, std::move(stream), stopwatch);
  return std::make_unique<TreeOperator<float>>(given, plan, std::move(stream), stopwatch);
}

}  // namespace rankine::gpu
