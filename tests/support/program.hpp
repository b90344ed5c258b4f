// Runs the rankine program as a user does: exit code, standard output, standard error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rankine::testing {

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

/// Runs `rankine ARGUMENTS...`. With `interrupt_when` it is sent SIGINT as soon as its log holds
/// that text. The program is the one of this build, or $RANKINE_PROGRAM.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::string& interrupt_when = {});

/// The summary of `rankine solve ARGUMENTS... --json -`, which must end with `exit_code`.
nlohmann::json solve(const std::vector<std::string>& arguments, int exit_code = 0);

/// A file of the folder cases/ of this source tree, or of $RANKINE_SOURCE_DIR.
std::string example(const std::string& name);

/// The sphere of the example with few panels, no limits and no probes.
std::vector<std::string> small_sphere(int panels, const std::string& results);

/// `first` with `more` at its end.
std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& more);

}  // namespace rankine::testing
