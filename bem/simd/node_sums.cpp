#include "rankine/bem/simd/node_sums.hpp"

#include "rankine/fmm/simd/processor.hpp"

namespace rankine::bem {

#define RANKINE_DECLARE(set)             \
  namespace set {                        \
  SumNodes sum_nodes(std::size_t index); \
  }
RANKINE_DECLARE(baseline)
#ifdef RANKINE_X86_SETS
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#endif
#undef RANKINE_DECLARE

SumNodes sum_nodes(const IntegralSet& wanted) {
  const std::size_t index = index_of(wanted);
#ifdef RANKINE_X86_SETS
  if (fmm::runs_avx512()) return avx512::sum_nodes(index);
  if (fmm::runs_avx2()) return avx2::sum_nodes(index);
#endif
  return baseline::sum_nodes(index);
}

void NodeArrays::resize(std::size_t count) {
  for (AlignedVector<double>* each : {&x, &y, &z, &nx, &ny, &nz, &weight}) each->resize(count);
}

void NodeArrays::set(std::size_t k, const Vec3d& point, const Vec3d& normal, double of_weight) {
  x[k] = point.x;
  y[k] = point.y;
  z[k] = point.z;
  nx[k] = normal.x;
  ny[k] = normal.y;
  nz[k] = normal.z;
  weight[k] = of_weight;
}

}  // namespace rankine::bem
