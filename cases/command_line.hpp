// The command line of the program, parsed by CLI11.
#pragma once

#include "cases/verbs/verbs.hpp"

namespace rankine::cases {

/// Prints help, version and usage errors itself and then returns Answered.
Command parse_command_line(int argc, char** argv);

}  // namespace rankine::cases
