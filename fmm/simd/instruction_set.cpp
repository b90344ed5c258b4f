// The kernels for one instruction set. Compiled once per set, with RANKINE_SIMD naming it (see fmm/CMakeLists.txt).
#include "fmm/simd/kernels.hpp"
#include "fmm/simd/pair_sums.hpp"
#include "fmm/simd/point_expansions.hpp"
#include "fmm/simd/translate.hpp"

#define RANKINE_STRING(x) #x
#define RANKINE_NAME(x) RANKINE_STRING(x)

namespace rankine::fmm::RANKINE_SIMD {

template <class T>
Kernels<T> kernel_table() {
  return {RANKINE_NAME(RANKINE_SIMD), Pack<T>::width, &p2p<T>, &accumulate<T>, &evaluate<T>, &translate<T>};
}

template Kernels<float> kernel_table<float>();
template Kernels<double> kernel_table<double>();

}  // namespace rankine::fmm::RANKINE_SIMD
