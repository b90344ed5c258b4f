// What the compiler was allowed to use of the processor.
#pragma once

enum : unsigned {
  needs_sse4_2 = 1U << 0,
  needs_avx = 1U << 1,
  needs_avx2 = 1U << 2,
  needs_fma = 1U << 3,
  needs_bmi2 = 1U << 4,
  needs_avx512f = 1U << 5,
  needs_avx512bw = 1U << 6,
  needs_avx512vl = 1U << 7,
  needs_avx512dq = 1U << 8,
  needs_avx512vbmi = 1U << 9,
  needs_avx512vnni = 1U << 10,
  needs_gfni = 1U << 11,
  needs_avx5124fmaps = 1U << 12
};

/// Of the rest of the program; a constant, so that reading it runs none of its code.
extern const unsigned needed_features;
