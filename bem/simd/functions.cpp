#include "rankine/bem/simd/functions.hpp"

#include "rankine/fmm/simd/processor.hpp"

namespace rankine::bem {

#define RANKINE_DECLARE(set)             \
  namespace set {                        \
  const SimdFunctions& simd_functions(); \
  }
RANKINE_DECLARE(baseline)
#ifdef RANKINE_X86_SETS
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#endif
#undef RANKINE_DECLARE

const SimdFunctions& simd_functions() {
#ifdef RANKINE_X86_SETS
  if (fmm::runs_avx512()) return avx512::simd_functions();
  if (fmm::runs_avx2()) return avx2::simd_functions();
#endif
  return baseline::simd_functions();
}

}  // namespace rankine::bem
