// Where arrays lie.
#pragma once

namespace rankine {

enum class MemorySpace { host, device };

}  // namespace rankine
