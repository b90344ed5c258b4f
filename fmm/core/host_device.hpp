// Marks functions whose mathematics is compiled for the host and, under nvcc, for the device.
#pragma once

#ifdef __CUDACC__
#define RANKINE_HD __host__ __device__
#else
#define RANKINE_HD
#endif
