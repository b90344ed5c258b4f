// A backend that passes every call on to the CPU's, for tests that watch what is asked of it.
#pragma once

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/forwarding_backend.hpp"

namespace rankine::testing {

class WatchedBackend : public bem::ForwardingBackend {
 public:
  WatchedBackend() : bem::ForwardingBackend(bem::make_cpu_backend()) {}
};

}  // namespace rankine::testing
