// The memory in which arrays lie: the host's or an operator's own.
#pragma once

#include <cstddef>
#include <span>

namespace rankine {

enum class MemorySpace { host, device };

/// An array of the host, whatever is in it.
using HostArray = std::span<const std::byte>;

}  // namespace rankine
