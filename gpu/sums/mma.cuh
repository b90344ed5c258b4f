// One 16 x 16 x 8 product of a warp on the tensor cores: C (16 x 8) += A (16 x 16) B (16 x 8).
//
// Lane l = 4 g + t holds
//   a[e]: row g + 8 (e % 2), column 4 t + e / 2,     e = 0 ... 7
//   b[e]: row 4 t + e, column g,                     e = 0 ... 3
//   c[e]: row g + 8 (e / 2), column 2 t + e % 2,     e = 0 ... 3
// The numbering of the inner index differs from that of the instructions. Since it is the same for
// A and B, the product is correct, and a lane's four elements of B are adjacent in memory.
#pragma once

#include <cstdint>

namespace rankine::gpu {

/// Double precision (DMMA). `volatile` prevents the compiler from loading so early that registers
/// spill.
__device__ __forceinline__ void multiply_add(double (&c)[4], const double (&a)[8],
                                             const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, "
      "%9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
          : "d"(a[2 * k + half]), "d"(b[k]));
    }
  }
#endif
}

__device__ __forceinline__ std::uint32_t to_tf32(float x) {
  std::uint32_t bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

__device__ __forceinline__ void multiply_add_tf32(float (&c)[4], const std::uint32_t* a,
                                                  const std::uint32_t* b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Single precision as three products of TF32 parts, x = high + low, with an error of order 2^-22.
__device__ __forceinline__ void multiply_add(float (&c)[4], const float (&a)[8],
                                             const float (&b)[4]) {
  std::uint32_t a_high[8], a_low[8], b_high[4], b_low[4];
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    a_high[e] = to_tf32(a[e]);
    a_low[e] = to_tf32(a[e] - __uint_as_float(a_high[e]));
  }
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    b_high[e] = to_tf32(b[e]);
    b_low[e] = to_tf32(b[e] - __uint_as_float(b_high[e]));
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    multiply_add_tf32(c, a_low + 4 * k, b_high + 2 * k);
    multiply_add_tf32(c, a_high + 4 * k, b_low + 2 * k);
    multiply_add_tf32(c, a_high + 4 * k, b_high + 2 * k);
  }
}

}  // namespace rankine::gpu
