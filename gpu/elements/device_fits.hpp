// Fits around all panels on the device: the rings, fits and integrals of bem/panels, a thread to a panel.
#pragma once

#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Bytes of device memory that the fits take for a panel, at most.
inline constexpr std::size_t fit_bytes_of_panel = 768;

/// bem::fit_panels of panels without images. Panels in more company than a thread keeps are left to the host. Throws
/// DeviceError where memory does not suffice.
bem::PanelFits device_fits(const bem::PanelNeighbourhood& neighbourhood,
                           const bem::FittedFields& fields, const Stream& stream);

}  // namespace rankine::gpu
