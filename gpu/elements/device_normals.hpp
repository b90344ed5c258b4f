// Normals at the nodes of a mesh on the device: the sides and fits of bem/panels, a thread to a node.
#pragma once

#include <span>

#include "rankine/bem/panels/corner_normals.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::corner_normals. Nodes in more company than a thread keeps are left to the host. Throws
/// DeviceError where memory does not suffice.
bem::CornerNormals device_corner_normals(const bem::PanelNeighbourhood& around,
                                         std::span<const Vec3d> nodes, double sharp_angle,
                                         const Stream& stream);

}  // namespace rankine::gpu
