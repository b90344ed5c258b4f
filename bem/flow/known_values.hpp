// What a flow problem gives to its boundary problem: checked, and free of what it cannot contain.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// A net flux into a closed domain, relative to the flux of either sign, that is refused. Less is taken
/// for the error of data on panels, which is of second order in their size, and removed.
inline constexpr double most_net_flux = 1e-2;

/// Throws InputError for sizes and values that do not fit, and for the steady pressure of a motion.
void check(const FlowProblem& problem, std::span<const Vec3d> streams);

/// Inside a closed surface with the flux alone given, and no plane where the potential is zero, it is known
/// but for a constant, and the net flux must vanish.
bool leaves_constant(const FlowProblem& problem);

struct KnownValues {
  std::vector<double> values;        ///< flux or potential, streams x panels
  std::vector<double> removed_flux;  ///< net flux taken from each, m^3/s
};

/// Of every stream. Throws InputError for a net flux into a closed domain.
KnownValues known_values(const FlowProblem& problem, std::span<const Vec3d> streams);

/// The share of its net flux that is taken from every panel where the flux alone is known inside a closed
/// surface; 0 elsewhere. Returns the net flux, m^3/s. Throws InputError where it is too large.
double remove_net_flux(const FlowProblem& problem, std::span<double> flux);

/// Thin panels are solved for by sources, their potential given. Throws InputError where they are not.
void require_thin_by_sources(const FlowProblem& problem, Formulation formulation);

}  // namespace rankine::bem
