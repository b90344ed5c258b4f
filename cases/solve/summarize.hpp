// The summary of a solved case.
#pragma once

#include "cases/output/summary.hpp"
#include "cases/solve/solved_case.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// The object "fmm" of the summary: the method of the far field.
Json far_field_json(const bem::Solution& solution, const std::string& backend);

/// The summary without seconds, peak host memory, files and warnings, which are not known yet. Its
/// exit code depends on whether all solves have converged and the limits of [verify] hold.
Summary summarize(const SolvedCase& solved, const bem::Backend& backend);

}  // namespace rankine::cases
