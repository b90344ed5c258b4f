// Near corrections of panels on a CUDA device: pairs found and panels integrated there. The
// entries are those of bem/layers/near_entry.hpp, compiled for the device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// One matrix per layer; they share their pattern. For panels without symmetry planes. The panels are not needed afterwards. Throws
/// DeviceError where memory does not suffice.
std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_collocated_panels(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
