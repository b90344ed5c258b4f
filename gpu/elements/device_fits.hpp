// Fits around all panels on the device: the rings, fits and integrals of bem/panels, one thread per
// panel.
#pragma once

#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Upper bound of the device memory per panel that the fits use, in bytes.
inline constexpr std::size_t fit_bytes_of_panel = 768;

/// bem::fit_panels of panels without images. The host fits panels whose neighbours do not fit into
/// a ShortList. Throws DeviceError if memory does not suffice.
bem::PanelFits device_fits(const bem::PanelNeighbourhood& neighbourhood,
                           const bem::FittedFields& fields, const Stream& stream);

}  // namespace rankine::gpu
