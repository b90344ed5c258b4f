// The memory in which arrays lie: the host's or an operator's own.
#pragma once

namespace rankine {

enum class MemorySpace { host, device };

}  // namespace rankine
