#include "rankine/gpu/sums/cuda_operator.hpp"

#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/sums/direct_sum.hpp"
#include "rankine/gpu/sums/tree_operator.hpp"

namespace rankine::gpu {

std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream) {
  if (stream == nullptr) stream = std::make_shared<const Stream>();
  const DeviceScope scope(*stream->context());
  if (options.method == fmm::Method::direct)
    return make_direct_operator(points, options, std::move(stream));
  std::unique_ptr<fmm::Operator> tree;
  if (options.precision == fmm::Precision::float64) {
    tree = std::make_unique<TreeOperator<double>>(points, options, stream);
  } else {
    tree = std::make_unique<TreeOperator<float>>(points, options, stream);
  }
  if (!fmm::sums_directly(tree->info(), options)) return tree;
  tree.reset();
  return make_direct_operator(points, options, std::move(stream));
}

}  // namespace rankine::gpu
