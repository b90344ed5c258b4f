// What a fork of this process must change before it works on its own.
#pragma once

#include "rankine/meshes/files/child_process.hpp"

namespace rankine::meshes {

/// In the child: default signal handlers, no output, the limits, and an end with its parent.
void settle_child(int parent, const ChildLimits& limits);

}  // namespace rankine::meshes
