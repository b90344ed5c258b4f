// Panels of a mesh on the device, measured, bent to the surface and moved onto it as in bem/panels,
// with one thread per panel or node.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Device memory used per element during the work, in bytes.
inline constexpr std::size_t panel_bytes_of_element = 512;

/// A bem::PanelFit. Empty if an element is invalid, or if the panels at a node do not fit into a
/// ShortList. Throws DeviceError if memory does not suffice.
std::optional<bem::BentPanels> device_panels(std::span<const Vec3d> nodes,
                                             std::span<const meshes::Element> elements,
                                             bem::PanelGeometry kind, const Stream& stream);

}  // namespace rankine::gpu
