// Memory of the CUDA implementation as a function of sizes, so that a solve can be judged before it
// begins. Each term is an array of gpu/: good to a tenth where the sizes are known, but for the partial sums of pairs that
// serve both ways, which are bounded from above for leaves of up to 250 points.
#pragma once

#include "rankine/fmm/operator_size.hpp"

namespace rankine::gpu {

/// Bytes of device memory that a CUDA operator holds.
double cuda_operator_bytes(const fmm::OperatorSize& size);

/// Bytes of host memory that order and lists of its tree pass through.
double cuda_setup_bytes(const fmm::OperatorSize& size);

/// Bytes of device memory that the integration of a near-field matrix needs beside it: the panels
/// with their far-field nodes and balls of near targets, per panel in the mean.
double integration_bytes(double panels, double nodes, double balls);

/// Bytes of device memory that the panels' arrays take (bem::host_arrays), which a solve holds.
double held_panel_bytes(double panels);

}  // namespace rankine::gpu
