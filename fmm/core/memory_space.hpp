// The memory in which arrays are stored: that of the host or of the operator's device.
#pragma once

namespace rankine {

enum class MemorySpace { host, device };

}  // namespace rankine
