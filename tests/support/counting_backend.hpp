// A backend that counts what crosses between the host's memory and its own.
#pragma once

#include "tests/support/watched_backend.hpp"

namespace rankine::testing {

class CountingBackend final : public WatchedBackend {
 public:
  void upload(std::span<const double> host, double* destination) override {
    ++crossings;
    WatchedBackend::upload(host, destination);
  }
  void download(const double* source, std::span<double> host) override {
    ++crossings;
    WatchedBackend::download(source, host);
  }

  int crossings = 0;
};

}  // namespace rankine::testing
