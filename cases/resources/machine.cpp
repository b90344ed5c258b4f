#include "cases/resources/machine.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "cases/output/show.hpp"

namespace rankine::cases {

std::size_t peak_host_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

namespace {

/// The value of a line of /proc/meminfo, bytes.
std::optional<std::size_t> meminfo(const std::string& wanted) {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;
       file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kilobytes = 0;
    if (key == wanted && file >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

/// Memory information from the kernel, without /proc.
struct sysinfo machine_info() {
  struct sysinfo info {};
  ::sysinfo(&info);
  return info;
}

}  // namespace

std::size_t available_host_bytes() {
  if (const auto available = meminfo("MemAvailable:")) return *available;
  const struct sysinfo info = machine_info();
  return info.totalram * info.mem_unit;
}

std::size_t free_swap_bytes() {
  if (const auto free = meminfo("SwapFree:")) return *free;
  const struct sysinfo info = machine_info();
  return info.freeswap * info.mem_unit;
}

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
