#include "fmm/tuning.hpp"

namespace rankine::fmm {

int cpu_leaf_capacity(const Options& options) {
  if (options.method == Method::direct) return 256;
  return 64;
}

}  // namespace rankine::fmm
