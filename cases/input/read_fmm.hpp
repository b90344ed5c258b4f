// Reads [fmm] of a case file: how sums are made.
#pragma once

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

/// The table [fmm], its keys checked.
Section fmm_table(const Section& root);

/// Defaults follow from `solver`, which `solver_section` says. Throws InputError for a tolerance that
/// the precision does not reach.
FmmInput read_fmm(const Section& section, const Section& solver_section, const SolverInput& solver);

}  // namespace rankine::cases
