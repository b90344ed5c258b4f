// Marks functions that are compiled for the host and, by nvcc, also for the device.
#pragma once

#ifdef __CUDACC__
#define RANKINE_HD __host__ __device__
#else
#define RANKINE_HD
#endif

/// The same for the innermost terms, which are always inlined, so that code for one instruction set
/// cannot be linked into the code for another.
#define RANKINE_HD_INLINE RANKINE_HD inline __attribute__((always_inline))
