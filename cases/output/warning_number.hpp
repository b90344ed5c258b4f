// The numbers of warnings; the build reads them from docs/reference/warnings.md.
#pragma once

#include <string>

namespace rankine::cases {

/// For example "W44"; empty for a warning that is not on the page.
std::string warning_number(const std::string& text);

}  // namespace rankine::cases
