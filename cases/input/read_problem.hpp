// The tables [problem] and [[boundary]] of a case file: what is solved, and what holds on every
// patch.
#pragma once

#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

void problem_keys(Keys& keys, ProblemInput& problem);
void boundary_keys(Keys& keys, BoundaryInput& boundary);
/// A charge.
void source_keys(Keys& keys, SourceInput& source);

/// A wall on every patch if the file has none. Throws InputError for patches that are named twice.
std::vector<BoundaryInput> read_boundaries(const Section& root);

/// [problem] alone; throws InputError for what in it excludes each other.
ProblemInput read_problem(const Section& root);

/// The stream and all conditions, which depend on each other. Throws InputError for conditions that
/// the problem does not have, and if nothing makes a flow or a potential.
void complete_problem(const Section& root, Case& flow_case);

/// [problem] and what it holds, [[boundary]].
std::string write_problem(const Case& flow_case, const std::filesystem::path& folder);

/// Whether all walls of a flow are without thickness.
bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries);

}  // namespace rankine::cases
