#include "rankine/bem/simd/panel_sums.hpp"

#include <cstddef>

#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/fmm/simd/processor.hpp"

namespace rankine::bem {

#define RANKINE_DECLARE(set)                                              \
  namespace set {                                                         \
  IntegrateTriangles integrate_triangles(std::size_t index, bool curved); \
  }
RANKINE_DECLARE(baseline)
#ifdef RANKINE_X86_SETS
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#endif
#undef RANKINE_DECLARE

IntegrateTriangles integrate_triangles(const IntegralSet& wanted, bool curved) {
  const std::size_t index = index_of(wanted);
#ifdef RANKINE_X86_SETS
  if (fmm::runs_avx512()) return avx512::integrate_triangles(index, curved);
  if (fmm::runs_avx2()) return avx2::integrate_triangles(index, curved);
#endif
  return baseline::integrate_triangles(index, curved);
}

}  // namespace rankine::bem
