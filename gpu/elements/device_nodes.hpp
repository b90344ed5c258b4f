// Quadrature nodes of panels placed on the device, one thread per panel. No panel is cut into
// strips (bem/layers/whole_rules.hpp).
#pragma once

#include <memory>
#include <optional>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Device memory used per node, and per panel in addition, in bytes.
inline constexpr std::size_t placed_bytes_of_node = 56, placed_bytes_of_panel = 400;

/// bem::place_nodes. Copies of the nodes stay on the device as long as `on_device` lives or the
/// nodes are held. Empty if a panel is so long that strips may be cheaper. Throws DeviceError if
/// memory does not suffice.
std::optional<bem::PlacedNodes> device_nodes(const bem::Panels& panels,
                                             const bem::QuadratureOptions& options,
                                             std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
