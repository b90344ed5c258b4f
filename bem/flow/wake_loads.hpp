// Pressures that wakes and trailing edges should not have, and have. A wake that keeps its place
// carries the load
//
//   F = rho int u x Gamma dl
//
// on the vortices along its lines, u the mean velocity of its two sides. The force on body and wake
// together is that in the Trefftz plane (bem/lift/lift_loads.hpp). A relaxed wake has none.
#pragma once

#include <optional>
#include <vector>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct WakeFlow {
  std::vector<std::size_t> panels;  ///< those of wakes up to three extents of the body downstream
  std::vector<Vec3d> points;        ///< their middles
  std::vector<Vec3d> velocity;   ///< there, in the frame of the body, m/s; the stream inside bodies
  std::optional<Vec3d> in_body;  ///< a place where a wake is inside a body; none: nowhere
};

/// The velocity half-way between the vortices of the wakes: as a rule for the principal value along
/// a smooth sheet it is of second order. A sheet that has rolled up has no limit between vortices
/// that are closer than panels are long, so that every vortex has a core as wide as its panel is
/// long, with the velocity of a rigid rotation inside.
WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend);
/// The same on these panels, and without cores.
WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   std::vector<std::size_t> panels, const FieldOptions& options, Backend& backend);

struct WakeLoad {
  Vec3d force;                   ///< F, N, of the modelled part
  std::optional<Vec3d> in_body;  ///< a place where a wake is inside a body; none: nowhere
};

/// Strips along bodies are left out, since their inner vortices are the body's. The velocity at a
/// line is the mean of those in the middle of the strips beside it, an error of first order in
/// their width at tips and of second order elsewhere.
WakeLoad wake_load(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend);

/// The pressure above less that below, Pa, `depth` m in front of each segment of the trailing
/// edges, or at the points of the panels there if these are deeper.
std::vector<double> pressure_jumps(const FlowProblem& problem, const Solution& solution,
                                   double depth);

}  // namespace rankine::bem
