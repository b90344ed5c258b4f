// Errors of a solution at its collocation points, compared with the surface values of an exact
// flow.
#pragma once

#include <functional>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// Errors relative to the exact field. The error of the pressure is also that of Cp.
struct SurfaceErrors {
  FieldError phi, velocity, pressure;
};

/// `exact`: on_surface() of a reference flow in the stream of the solution.
SurfaceErrors surface_errors(const FlowProblem& problem, const Solution& solution,
                             const std::function<SurfaceState(const Vec3d&)>& exact);

}  // namespace rankine::bem
