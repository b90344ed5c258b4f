// The features of the processor that this file, and with it the program, was compiled for.
#include "cases/processor_check.hpp"

constinit const unsigned needed_features = 0U
#ifdef __SSE4_2__
                                           | needs_sse4_2
#endif
#ifdef __AVX__
                                           | needs_avx
#endif
#ifdef __AVX2__
                                           | needs_avx2
#endif
#ifdef __FMA__
                                           | needs_fma
#endif
#ifdef __BMI2__
                                           | needs_bmi2
#endif
#ifdef __AVX512F__
                                           | needs_avx512f
#endif
#ifdef __AVX512BW__
                                           | needs_avx512bw
#endif
#ifdef __AVX512VL__
                                           | needs_avx512vl
#endif
#ifdef __AVX512DQ__
                                           | needs_avx512dq
#endif
#ifdef __AVX512VBMI__
                                           | needs_avx512vbmi
#endif
#ifdef __AVX512VNNI__
                                           | needs_avx512vnni
#endif
#ifdef __GFNI__
                                           | needs_gfni
#endif
#ifdef __AVX5124FMAPS__
                                           | needs_avx5124fmaps
#endif
    ;
