#include "rankine/bem/simd/functions.hpp"

#include "rankine/fmm/simd/processor.hpp"

namespace rankine::bem {

#define RANKINE_DECLARE(set)             \
  namespace set {                        \
  const SimdFunctions& simd_functions(); \
  }
RANKINE_DECLARE(baseline)
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#undef RANKINE_DECLARE

const SimdFunctions& simd_functions() {
#ifdef RANKINE_SET_avx512
  if (fmm::runs_avx512()) return avx512::simd_functions();
#endif
#ifdef RANKINE_SET_avx2
  if (fmm::runs_avx2()) return avx2::simd_functions();
#endif
#ifdef RANKINE_SET_baseline
  return baseline::simd_functions();
#else
  fmm::refuse_processor();
#endif
}

}  // namespace rankine::bem
