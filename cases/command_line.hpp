// The command line of the program, parsed by CLI11. The parser, the manual and the shell
// completions share one table of options.
#pragma once

#include <string>

#include "cases/input/section.hpp"
#include "cases/verbs/verbs.hpp"

namespace CLI {
class App;
}

namespace rankine::cases {

/// Prints help, version and usage errors itself; then returns Answered.
Command parse_command_line(int argc, char** argv);

// The options of the verbs without a case (tool_options.cpp).
void add_mesh(CLI::App& app, MeshArguments& a, Command& command);
void add_bench(CLI::App& app, BenchArguments& a, Command& command);
void add_verify(CLI::App& app, VerifyArguments& a, Command& command);
void add_polar(CLI::App& app, PolarArguments& a, Command& command);
void add_report(CLI::App& app, ReportArguments& a, Command& command);
void add_view(CLI::App& app, ViewArguments& a, Command& command);
void add_info(CLI::App& app, InfoArguments& a, Command& command);
void add_keys(CLI::App& app, KeysArguments& a, Command& command);

enum class ManualFormat { man, markdown, bash, zsh, fish };

inline const Choices<ManualFormat> manual_words{{"man", ManualFormat::man},
                                                {"markdown", ManualFormat::markdown},
                                                {"bash", ManualFormat::bash},
                                                {"zsh", ManualFormat::zsh},
                                                {"fish", ManualFormat::fish}};

/// The manual page (man, markdown) or the completions of a shell (manual.cpp). `notes`: the text on
/// examples and exit codes.
std::string manual(const CLI::App& app, ManualFormat format, const std::string& notes,
                   const std::string& version);

}  // namespace rankine::cases
