// Runs the rankine program as a user does: exit code, standard output, standard error.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace rankine::cases {

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

/// Runs `rankine ARGUMENTS...`. With `interrupt_when` it is sent SIGINT as soon as its log holds
/// that text.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::string& interrupt_when = {});

}  // namespace rankine::cases
