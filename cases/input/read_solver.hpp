// The tables [solver] and [fmm] of a case file: how equations are solved and sums are made.
#pragma once

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

void solver_keys(Keys& keys, SolverInput& solver);
void fmm_keys(Keys& keys, FmmInput& fmm);

/// Fills in the defaults that follow from the problem. Throws InputError for a formulation that does
/// not solve it.
void complete_solver(const Section& root, Case& flow_case);

/// Fills in the defaults that follow from `solver`. Throws InputError for a tolerance that the
/// precision does not reach.
void complete_fmm(const Section& root, const SolverInput& solver, FmmInput& fmm);

}  // namespace rankine::cases
