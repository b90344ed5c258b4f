// Surface gradients on the device: the rings and fits of bem/panels, a thread to a panel.
#pragma once

#include <span>

#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::surface_gradient. Panels in more company than a thread keeps are left to the host. Throws
/// DeviceError where memory does not suffice.
bem::SurfaceGradient device_surface_gradient(const bem::PanelNeighbourhood& neighbourhood,
                                             std::span<const double> values, const Stream& stream);

}  // namespace rankine::gpu
