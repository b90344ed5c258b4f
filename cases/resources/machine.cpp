#include "cases/resources/machine.hpp"

#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <string>

namespace rankine::cases {
std::size_t peak_host_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

namespace {

/// A line of /proc/meminfo, bytes; 0 where there is none.
std::size_t meminfo(const std::string& wanted) {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;
       file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kilobytes = 0;
    if (key == wanted && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

std::size_t available_host_bytes() { return meminfo("MemAvailable:"); }

std::size_t free_swap_bytes() { return meminfo("SwapFree:"); }

}  // namespace rankine::cases
