// Tests which instruction sets of cmake/RankineTargets.cmake this processor supports.
#pragma once

namespace rankine::fmm {

#ifdef RANKINE_X86_SETS
inline bool runs_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
inline bool runs_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

}  // namespace rankine::fmm
