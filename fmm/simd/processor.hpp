// Tests which instruction sets of cmake/RankineTargets.cmake this processor supports.
#pragma once

#include "rankine/fmm/core/error.hpp"

namespace rankine::fmm {

#if defined(RANKINE_SET_avx2) || defined(RANKINE_SET_avx512)
inline bool runs_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
inline bool runs_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

[[noreturn]] inline void refuse_processor() {
  throw InputError(
      "this program was built for a processor with wider vector instructions; build it again on "
      "this machine, or for all processors, with -DRANKINE_SETS=\"baseline;avx2;avx512\"");
}

}  // namespace rankine::fmm
