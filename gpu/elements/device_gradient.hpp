// Surface gradients on the device: the rings and fits of bem/panels, one thread per panel.
#pragma once

#include <span>

#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::surface_gradient. The host fits panels whose neighbours do not fit into a ShortList. Throws
/// DeviceError if memory does not suffice.
bem::SurfaceGradient device_surface_gradient(const bem::PanelNeighbourhood& neighbourhood,
                                             std::span<const double> values, const Stream& stream);

}  // namespace rankine::gpu
