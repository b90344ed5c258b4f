// The numbers of warnings, those of docs/reference/warnings.md, which the build reads.
#pragma once

#include <string>

namespace rankine::cases {

/// "W44"; empty if the page does not have the warning.
std::string warning_number(const std::string& text);

}  // namespace rankine::cases
