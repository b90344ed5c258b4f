// Reads [output]: where results go, and what a case asks for at points off the surface and along it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

/// Throws InputError as read_case() does.
OutputInput read_output(const Section& root, const std::filesystem::path& case_file);

/// The tables [[output.probe]] of `output`. `names`: of files that are taken; those of the probes are added.
std::vector<ProbeInput> read_probes(const Section& output, const std::filesystem::path& case_file,
                                    std::set<std::string>& names);

}  // namespace rankine::cases
