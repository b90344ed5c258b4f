// Reads [problem] and [[boundary]] of a case file: what is solved, and what holds on every patch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

/// A path of a case file, relative to its folder.
std::filesystem::path beside(const std::filesystem::path& case_file, const std::string& path);

/// A wall on every patch where the file has none. Throws InputError for patches named twice, and for keys
/// that a type does not take.
std::vector<BoundaryInput> read_boundaries(const Section& root,
                                           const std::filesystem::path& case_file);

/// Throws InputError for what excludes each other, and where nothing drives the flow.
ProblemInput read_problem(const Section& root, const std::filesystem::path& case_file,
                          const std::vector<BoundaryInput>& boundaries);

/// Throws InputError for conditions that the kind of problem does not have.
void check_types(const ProblemInput& problem, const std::vector<BoundaryInput>& boundaries);

/// What the conditions need where the case names none: sources where a boundary is thin, doublets where it is a
/// wall.
bem::Formulation default_formulation(ProblemKind kind,
                                     const std::vector<BoundaryInput>& boundaries);

/// Whether all walls of a flow are without thickness.
bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries);

/// Throws InputError for interfaces where nothing makes a potential, and for thin conductors beside
/// interfaces.
void check_drives(const Case& flow_case);

}  // namespace rankine::cases
