// The host's backend: plain memory, loops over threads.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

/// `threads` = 0 uses every core. Sums do not depend on the number of threads.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace rankine::bem
