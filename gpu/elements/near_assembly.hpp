// Near corrections of panels on a CUDA device, which finds the pairs and integrates the panels. The
// entries are those of bem/layers/near_entry.hpp, compiled for the device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// One matrix per layer; all share their pattern. For panels without symmetry planes. The panels
/// are not needed afterwards. Throws DeviceError if memory does not suffice.
std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_collocated_panels(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
