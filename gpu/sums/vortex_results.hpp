// Velocities of vortices on the device: the curl of what expansions of their components give, and the
// near field's own sums.
#pragma once

#include "rankine/gpu/sums/strengths.hpp"

namespace rankine::gpu {

/// Gradients and second derivatives of the components of the vector potential, in the caller's order:
/// rhs x 3 x targets x 3 and x 6; no second derivatives where gradients of velocities are not wanted.
struct PotentialDerivatives {
  const double* gradient;
  const double* hessian;
};

/// The caller's velocities and their gradients: curl of `far` + `near` (velocity and velocity_gradient,
/// in Morton order and edges of the root).
template <class T>
void write_velocities(const PotentialDerivatives& far, const SumView<T>& near,
                      const std::int32_t* order, double inverse_side, const ApplyArrays* arrays,
                      int rhs, const Stream& stream);

/// inverse_side / core radius in Morton order.
template <class T>
DeviceBuffer<T> inverse_cores(std::span<const double> core_radii,
                              const DeviceBuffer<std::int32_t>& order, double side,
                              const Stream& stream);

}  // namespace rankine::gpu
