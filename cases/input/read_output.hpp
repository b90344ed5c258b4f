// The table [output]: where results go, and what a case asks for at points off the surface and
// along it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

void output_keys(Keys& keys, OutputInput& output);
void probe_keys(Keys& keys, ProbeInput& probe);
void section_keys(Keys& keys, SectionInput& section);
void streamline_keys(Keys& keys, StreamlineInput& lines);

/// Throws InputError as read_case() does.
OutputInput read_output(const Section& root);

/// The tables [[output.probe]] of `output`. `names`: of files that are taken; those of the probes
/// are added.
std::vector<ProbeInput> read_probes(const Section& output, std::set<std::string>& names);

std::string write_output(const OutputInput& output, const std::filesystem::path& folder);
std::string write_probes(const std::vector<ProbeInput>& probes,
                         const std::filesystem::path& folder);

}  // namespace rankine::cases
