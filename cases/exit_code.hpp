// The exit codes of the program (docs/howto/results.md), and the code and message of each
// exception.
#pragma once

#include <exception>
#include <string>

namespace rankine::cases {

enum ExitCode : int {
  exit_solved = 0,
  exit_internal_error = 1,
  exit_usage = 2,
  exit_mesh = 3,
  exit_not_converged = 4,
  exit_limit_exceeded = 5,
  exit_device_or_memory = 6,
  exit_interrupted = 130,  ///< the code that shells use for an interrupt
};

ExitCode exit_code_of(const std::exception& error);

/// The message for the user. `work`: the task at hand, named when memory runs out.
std::string message_of(const std::exception& error, const std::string& work);

}  // namespace rankine::cases
