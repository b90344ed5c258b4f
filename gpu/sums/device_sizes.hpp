// Memory of the CUDA implementation as a function of sizes, for a forecast before a solve. Each
// term is an array of gpu/. The sum is correct within a tenth if the sizes are known, except for
// the partial sums of mutual pairs, for which it is an upper bound for leaves of up to 250 points.
#pragma once

#include "rankine/fmm/operator_size.hpp"

namespace rankine::gpu {

/// Bytes of device memory that a CUDA operator holds.
double cuda_operator_bytes(const fmm::OperatorSize& size);

/// Bytes of host memory through which the order and the lists of its tree are copied.
double cuda_setup_bytes(const fmm::OperatorSize& size);

/// Bytes of device memory that the integration of a near-field matrix needs besides the matrix: the
/// panels with their far-field nodes and near balls; averages per panel.
double integration_bytes(double panels, double nodes, double balls);

/// Bytes of device memory of the panels' arrays (bem::host_arrays) during a solve.
double held_panel_bytes(double panels);

}  // namespace rankine::gpu
