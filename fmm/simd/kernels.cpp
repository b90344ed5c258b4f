#include "rankine/fmm/simd/kernels.hpp"

#include "rankine/fmm/simd/processor.hpp"

namespace rankine::fmm {

#define RANKINE_DECLARE(set) \
  namespace set {            \
  template <class T>         \
  Kernels<T> kernel_table(); \
  }
RANKINE_DECLARE(baseline)
RANKINE_DECLARE(avx2)
RANKINE_DECLARE(avx512)
#undef RANKINE_DECLARE

namespace {

template <class T>
Kernels<T> choose() {
#ifdef RANKINE_SET_avx512
  if (runs_avx512()) return avx512::kernel_table<T>();
#endif
#ifdef RANKINE_SET_avx2
  if (runs_avx2()) return avx2::kernel_table<T>();
#endif
#ifdef RANKINE_SET_baseline
  return baseline::kernel_table<T>();
#else
  refuse_processor();
#endif
}

}  // namespace

template <class T>
const Kernels<T>& kernels() {
  static const Kernels<T> chosen = choose<T>();
  return chosen;
}

template const Kernels<float>& kernels<float>();
template const Kernels<double>& kernels<double>();

std::string_view simd_name() { return kernels<double>().name; }

}  // namespace rankine::fmm
