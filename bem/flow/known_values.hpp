// The known values of the boundary problem of a flow, checked and without a net flux into closed
// domains.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// Throws InputError for sizes and values that are not valid, and for a motion whose pressure would
/// be computed as steady.
void check(const FlowProblem& problem, std::span<const Vec3d> streams);

/// Throws InputError for a stream that is incompatible with symmetry planes
/// (bem/fields/boundary_fields.hpp). It may be parallel to a plane of zero potential that no panel
/// touches: there only the potential of the disturbance is zero.
void check_stream(const Panels& panels, const Vec3d& stream);

struct KnownValues {
  std::vector<double> values;        ///< flux or potential, streams x panels
  std::vector<double> removed_flux;  ///< net flux subtracted from each, m^3/s
};

/// Known values for every stream. Throws InputError for a net flux into a closed domain.
KnownValues known_values(const FlowProblem& problem, std::span<const Vec3d> streams);

/// The velocity whose normal components on the panels at an edge are the normal velocities of the
/// walls.
Vec3d velocity_of_walls(const Panels& panels, std::span<const double> normal_velocity,
                        const EdgeSegment& edge);

/// The contribution of the onset flow to the rows of the Kutta condition, m^2/s. `streams`: the
/// stream at every segment, relative to its walls, m/s.
std::vector<double> kutta_values(const FlowProblem& problem, std::span<const Vec3d> streams);

/// In the interior of a closed surface with only fluxes given: subtracts the net flux, distributed
/// by area. Returns the net flux, m^3/s, or 0 otherwise. Throws InputError if it is too large.
double remove_net_flux(const FlowProblem& problem, std::span<double> flux);

}  // namespace rankine::bem
