#include "gpu/tuning.hpp"

namespace rankine::gpu {

int leaf_capacity(const fmm::Options& options) {
  if (options.method == fmm::Method::treecode) return 128;
  return options.tolerance < 1e-8 ? 256 : 128;
}

}  // namespace rankine::gpu
