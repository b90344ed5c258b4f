// Quadrature nodes of panels placed by the device, a thread to a panel, where none is cut into strips
// (bem/layers/whole_rules.hpp).
#pragma once

#include <memory>
#include <optional>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Device memory taken, for one node and for one panel besides.
inline constexpr std::size_t placed_bytes_of_node = 56, placed_bytes_of_panel = 400;

/// bem::place_nodes, with copies that stay on the device as long as `on_device` lives or the nodes are held. Nothing
/// where strips are worth a look. Throws DeviceError where memory does not suffice.
std::optional<bem::PlacedNodes> device_nodes(const bem::Panels& panels,
                                             const bem::QuadratureOptions& options,
                                             std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
