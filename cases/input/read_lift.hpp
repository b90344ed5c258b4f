// The table [lift] of a case file: wakes of lifting bodies, and to what coefficients refer. Its
// presence asks for wakes.
#pragma once

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

void lift_keys(Keys& keys, LiftInput& lift);
void reference_keys(Keys& keys, ReferenceInput& reference);

/// Throws one InputError with all that is wrong in the table.
LiftInput read_lift(const Section& root);

/// Throws InputError for a problem that has no wakes.
void check_lift(const Section& root, const Case& flow_case);

/// Empty if there is no lift.
std::string write_lift(const LiftInput& lift, const std::filesystem::path& folder);

}  // namespace rankine::cases
