#include "cases/resources/machine.hpp"

#include <omp.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>

namespace rankine::cases {
namespace {

/// The value of the first line of a /proc file that begins with `key`, after its colon.
std::string proc_value(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const auto colon = line.find(':');
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

}  // namespace

int thread_count(int requested) { return requested > 0 ? requested : omp_get_max_threads(); }

std::string processor_name() {
  const std::string name = proc_value("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown processor" : name;
}

std::string vector_instructions() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return "AVX-512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "AVX2";
#endif
  return "baseline";
}

std::size_t peak_host_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t available_host_bytes() {
  std::istringstream text(proc_value("/proc/meminfo", "MemAvailable"));
  std::size_t kilobytes = 0;
  text >> kilobytes;
  return kilobytes * 1024;
}

}  // namespace rankine::cases
