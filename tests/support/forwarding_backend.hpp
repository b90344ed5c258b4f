// A backend that passes every call on to the CPU's, for tests that watch what is asked of it.
#pragma once

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/forwarding_backend.hpp"

namespace rankine::testing {

class ForwardingBackend : public bem::ForwardingBackend {
 public:
  ForwardingBackend() : bem::ForwardingBackend(bem::make_cpu_backend()) {}
};

}  // namespace rankine::testing
