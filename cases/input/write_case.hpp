// Writes a Case back as TOML with every default spelt out: case.resolved.toml,
// which solves the same case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/case_writer.hpp"

namespace rankine::cases {

/// The text of a case file that would lie in `folder`: paths are written relative to it.
std::string write_case(const Case& flow_case, const std::filesystem::path& folder);

/// The table [mesh].
void write_mesh(CaseWriter& out, const MeshInput& mesh, const std::filesystem::path& folder);

/// The tables [[output.probe]].
void write_probes(CaseWriter& out, const std::vector<ProbeInput>& probes,
                  const std::filesystem::path& folder);

}  // namespace rankine::cases
