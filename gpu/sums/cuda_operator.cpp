#include "rankine/gpu/sums/cuda_operator.hpp"

#include <utility>

#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/sums/cuda_tuning.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/direct_sum.hpp"
#include "rankine/gpu/sums/tree_operator.hpp"

namespace rankine::gpu {

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
  fmm::Plan plan = fmm::make_plan(points, chosen, *tree_builder(points, *stream), tuning(chosen));
  if (plan.options.method == fmm::Method::direct)
    return make_direct_operator(points, plan.options, std::move(stream));
  if (plan.options.precision == fmm::Precision::float64)
    return std::make_unique<TreeOperator<double>>(points, std::move(plan), std::move(stream),
                                                  stopwatch);
  return std::make_unique<TreeOperator<float>>(points, std::move(plan), std::move(stream),
                                               stopwatch);
}

}  // namespace rankine::gpu
