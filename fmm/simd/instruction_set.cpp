// The kernels for one instruction set. Compiled once per set; RANKINE_SIMD is its name
// (cmake/RankineTargets.cmake).
#include "rankine/fmm/simd/close_sums.hpp"
#include "rankine/fmm/simd/harmonic_sums.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/simd/mutual_leaf_sums.hpp"
#include "rankine/fmm/simd/pair_sums.hpp"
#include "rankine/fmm/simd/translator.hpp"

namespace rankine::fmm::RANKINE_SIMD {

#if defined(__AVX512F__)
constexpr std::string_view set_name = "AVX-512";
#elif defined(__AVX2__)
constexpr std::string_view set_name = "AVX2";
#else
constexpr std::string_view set_name = "baseline";
#endif

template <class T>
Kernels<T> kernel_table() {
  return {set_name,       Pack<T>::width, &p2p<T>,
          &p2p_mutual<T>, &p2p_close<T>,  &least_distance2<T>,
          &accumulate<T>, &evaluate<T>,   &translate<T>};
}

template Kernels<float> kernel_table<float>();
template Kernels<double> kernel_table<double>();

}  // namespace rankine::fmm::RANKINE_SIMD
