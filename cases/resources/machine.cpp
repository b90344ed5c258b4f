#include "cases/resources/machine.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <string>

#include "cases/output/show.hpp"

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

std::string out_of_memory(const std::string& work) {
  const std::size_t asked = failed_request;
  return fmt::format(
      "out of memory ({}{}), {} are free on this machine; use fewer panels or probe points, a "
      "limit "
      "on memory above that, or look at the estimate of rankine check",
      work, asked == 0 ? "" : fmt::format(": {} asked for", show_bytes(static_cast<double>(asked))),
      show_bytes(static_cast<double>(available_host_bytes())));
}

}  // namespace rankine::cases
