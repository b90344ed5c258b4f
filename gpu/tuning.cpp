#include "gpu/tuning.hpp"

namespace rankine::gpu {

int leaf_capacity(const fmm::Options& options) {
  if (options.method == fmm::Method::treecode) return 512;
  if (options.precision != fmm::Precision::float64) return 128;
  return options.tolerance < 1e-8 ? 200 : 100;
}

}  // namespace rankine::gpu
