// The near-field matrix on a CUDA device: near pairs found, panels integrated and the matrix
// applied there. The entries are those of bem/layers/near_entry.hpp, compiled for the device.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Builds the matrix of one layer. The panels are not needed afterwards. Throws DeviceError where
/// memory does not suffice.
std::unique_ptr<bem::NearField> make_cuda_near_field(const bem::Panels& panels,
                                                     const bem::Discretization& discretization,
                                                     bem::Layer layer,
                                                     std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
