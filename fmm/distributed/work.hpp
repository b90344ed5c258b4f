// The work of a plan, target by target, from which processes divide the points.
#pragma once

#include <vector>

#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

/// Predicted seconds for each target of the plan, in the order of the points: pairs, M2L, M2P and
/// P2L of the boxes that contain it, each divided equally among the box's targets.
std::vector<double> seconds_per_target(const Plan& plan, const PassCosts& costs);

}  // namespace rankine::fmm
