// A backend that counts what crosses between the host's memory and its own.
#pragma once

#include "tests/support/forwarding_backend.hpp"

namespace rankine::testing {

class CountingBackend final : public ForwardingBackend {
 public:
  void upload(std::span<const double> host, double* destination) override {
    ++crossings;
    ForwardingBackend::upload(host, destination);
  }
  void download(const double* source, std::span<double> host) override {
    ++crossings;
    ForwardingBackend::download(source, host);
  }

  int crossings = 0;
};

}  // namespace rankine::testing
