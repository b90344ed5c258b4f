// Strengths that are linear on panels, computed on a device with one thread per panel.
#pragma once

#include <memory>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::linear_strengths of panels without images, none of them in strips. Null if the
/// neighbours of a panel do not fit into a ShortList. Throws DeviceError if memory does not
/// suffice.
std::unique_ptr<bem::SparseMatrix> device_strengths(const bem::CollocatedPanels& discretization,
                                                    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
