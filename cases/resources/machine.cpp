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

std::size_t available_host_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;
       file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kilobytes = 0;
    if (key == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace rankine::cases
