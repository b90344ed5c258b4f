// What the command line says about itself, in the forms that shells and manuals take, from the
// table of options that also parses it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cases/input/section.hpp"

namespace rankine::cases {

enum class ManualFormat { man, markdown, bash, zsh, fish };

inline const Choices<ManualFormat> manual_words{{"man", ManualFormat::man},
                                                {"markdown", ManualFormat::markdown},
                                                {"bash", ManualFormat::bash},
                                                {"zsh", ManualFormat::zsh},
                                                {"fish", ManualFormat::fish}};

/// The manual page (man, markdown), or the completions for a shell. `notes`: examples and exit
/// codes.
std::string manual(const CLI::App& app, ManualFormat format, const std::string& notes,
                   const std::string& version);

}  // namespace rankine::cases
