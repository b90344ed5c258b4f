// Runs the rankine program as a user does: exit code, standard output, standard error.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/error_messages.hpp"

namespace rankine::testing {

struct Outcome {
  int exit_code = 0;  ///< 128 and the number of the signal that ended it
  std::string out, err;
};

/// Whether the log has `part` in it.
inline ::testing::AssertionResult says(const Outcome& outcome, const std::string& part) {
  return says(outcome.err, part);
}

/// Whether the run ended with this exit code, and with `part` in its log.
inline ::testing::AssertionResult ended(const Outcome& outcome, int exit_code,
                                        const std::string& part) {
  if (outcome.exit_code == exit_code) return says(outcome, part);
  return ::testing::AssertionFailure()
         << "exit code " << outcome.exit_code << " instead of " << exit_code << ": " << outcome.err;
}

/// What surrounds a run.
struct Surroundings {
  /// Files in the place of standard output and error; empty: what Outcome holds, "-": closed.
  std::string out{}, err{};
  rlim_t file_size = RLIM_INFINITY, memory = RLIM_INFINITY;  ///< most bytes of a file; of addresses
  rlim_t open_files = RLIM_INFINITY, processes = RLIM_INFINITY;
  bool ordinary_user = false;  ///< without the rights of root, if the test has them
  /// A signal, sent as soon as the log holds `when` and `delay` has passed.
  int signal = 0;
  std::string when{};
  std::chrono::milliseconds delay{0};
};

/// Runs `rankine ARGUMENTS...`. The program is the one of this build, or $RANKINE_PROGRAM.
Outcome run_program(const std::vector<std::string>& arguments,
                    const Surroundings& surroundings = {});

/// The summary of `rankine solve ARGUMENTS... --json -`, which must end with `exit_code`.
nlohmann::json solve(const std::vector<std::string>& arguments, int exit_code = 0);

/// A file of the folder cases/ of this source tree, or of $RANKINE_SOURCE_DIR.
std::string example(const std::string& name);

/// `first` with "--set" before each of the settings, KEY=VALUE.
std::vector<std::string> set(std::vector<std::string> first,
                             const std::vector<std::string>& settings);

/// The sphere of the example with few panels, no limits and no probes.
std::vector<std::string> small_sphere(int panels, const std::string& results);

/// `first` with `more` at its end.
std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& more);

}  // namespace rankine::testing
