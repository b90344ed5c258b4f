#include "rankine/bem/simd/node_sums.hpp"

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/simd/processor.hpp"

namespace rankine::bem {

#define RANKINE_DECLARE(set)                       \
  namespace set {                                  \
  SubtractNodes subtract_nodes(std::size_t index); \
  }
RANKINE_DECLARE(baseline)
#ifdef RANKINE_X86_SETS
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#endif
#undef RANKINE_DECLARE

SubtractNodes subtract_nodes(const IntegralSet& wanted) {
  const std::size_t index = index_of(wanted);
#ifdef RANKINE_X86_SETS
  if (fmm::runs_avx512()) return avx512::subtract_nodes(index);
  if (fmm::runs_avx2()) return avx2::subtract_nodes(index);
#endif
  return baseline::subtract_nodes(index);
}

SeparateNodes::SeparateNodes(const Vec3d* points, const Vec3d* normals, const double* weights,
                             std::size_t count)
    : weights_(weights) {
  for (std::vector<double>& each : part_) each.resize(count);
  parallel_for(count, [&](std::size_t k) {
    for (int axis = 0; axis < 3; ++axis) {
      part_[axis][k] = points[k][axis];
      part_[3 + axis][k] = normals[k][axis];
    }
  });
}

NodeArrays SeparateNodes::arrays() const {
  return {part_[0].data(), part_[1].data(), part_[2].data(), part_[3].data(),
          part_[4].data(), part_[5].data(), weights_};
}

}  // namespace rankine::bem
