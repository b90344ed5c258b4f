// Pressures that wakes and trailing edges should not have, and have. A wake that keeps its place
// carries the load
//
//   F = rho int (u.grad m) n dA ,
//
// u the mean velocity of its two sides, m the jump of the potential from the lower side to the
// upper one and n the normal of the upper side. The force on body and wake together is that in the
// Trefftz plane (bem/lift/lift_loads.hpp). A relaxed wake has none.
#pragma once

#include <optional>
#include <vector>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct WakeLoad {
  Vec3d force;                   ///< F, N, of the modelled part
  std::optional<Vec3d> in_body;  ///< a place where a wake is inside a body; none: nowhere
};

/// Strips along bodies are left out, since their inner vortices are the body's. Strengths jump from strip to strip; the velocity there is the mean
/// of those in the middle of the strips, an error of first order in their width at tips and of
/// second order elsewhere.
WakeLoad wake_load(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend);

/// The pressure above less that below, Pa, `depth` m in front of each segment of the trailing edges,
/// or at the points of the panels there if these are deeper.
std::vector<double> pressure_jumps(const FlowProblem& problem, const Solution& solution,
                                   double depth);

}  // namespace rankine::bem
