// The CPU backend: host memory, and loops shared by threads.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"

namespace rankine::bem {

/// The results of sums do not depend on the number of threads.
std::unique_ptr<Backend> make_cpu_backend();

}  // namespace rankine::bem
