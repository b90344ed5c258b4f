// The known values of the boundary problem of a flow: checked, and without a net flux into closed
// domains.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// Throws InputError for sizes and values that do not fit, and for the steady pressure of a motion.
void check(const FlowProblem& problem, std::span<const Vec3d> streams);

/// Throws InputError for a stream that symmetry planes exclude (bem/fields/boundary_fields.hpp). It
/// may run along a plane of zero potential that no panel meets: on that the potential of the
/// disturbance alone is zero.
void check_stream(const Panels& panels, const Vec3d& stream);

struct KnownValues {
  std::vector<double> values;        ///< flux or potential, streams x panels
  std::vector<double> removed_flux;  ///< net flux taken from each, m^3/s
};

/// Known values for every stream. Throws InputError for a net flux into a closed domain.
KnownValues known_values(const FlowProblem& problem, std::span<const Vec3d> streams);

/// The velocity whose flux through the panels at an edge is the normal velocity of the walls there.
Vec3d velocity_of_walls(const Panels& panels, std::span<const double> normal_velocity,
                        const EdgeSegment& edge);

/// The part of the onset flow in the rows of the Kutta condition, m^2/s. `streams`: that which
/// every segment sees, relative to its walls, m/s.
std::vector<double> kutta_values(const FlowProblem& problem, std::span<const Vec3d> streams);

/// Subtracts the net flux, distributed by area, if only the flux is known inside a closed surface.
/// Returns the net flux, m^3/s, or 0 otherwise. Throws InputError if it is too large.
double remove_net_flux(const FlowProblem& problem, std::span<double> flux);

}  // namespace rankine::bem
