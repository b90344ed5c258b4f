// Panels of a mesh on the device: measured, bent to the surface and moved onto it as bem/panels does, a thread to a panel
// or to a node.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Device memory taken meanwhile.
inline constexpr std::size_t panel_bytes_of_element = 512;

/// A bem::PanelFit. Nothing where elements are at fault, or more of them meet at a node than a thread keeps. Throws
/// DeviceError where memory does not suffice.
std::optional<bem::BentPanels> device_panels(std::span<const Vec3d> nodes,
                                             std::span<const meshes::Element> elements,
                                             bem::PanelGeometry kind, const Stream& stream);

}  // namespace rankine::gpu
