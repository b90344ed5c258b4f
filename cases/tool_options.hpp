// The options of the verbs that take no case.
#pragma once

#include <CLI/CLI.hpp>

#include "cases/verbs/verbs.hpp"

namespace rankine::cases {

void add_mesh(CLI::App& app, MeshArguments& a, Command& command);
void add_bench(CLI::App& app, BenchArguments& a, Command& command);
void add_verify(CLI::App& app, VerifyArguments& a, Command& command);
void add_polar(CLI::App& app, PolarArguments& a, Command& command);
void add_info(CLI::App& app, InfoArguments& a, Command& command);
void add_keys(CLI::App& app, KeysArguments& a, Command& command);

}  // namespace rankine::cases
