#include "cases/resources/out_of_memory.hpp"

#include <fmt/format.h>

#include "cases/output/show.hpp"
#include "cases/resources/machine.hpp"

namespace rankine::cases {

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
