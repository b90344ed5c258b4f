// From a case and its mesh to the problem and the options that bem/ solves.
#pragma once

#include <functional>
#include <optional>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Panels, stream and conditions (set_conditions()). Normals point into the fluid, also if it is
/// inside. `fit`: as of bem::make_panels.
bem::FlowProblem make_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                              const bem::PanelFit& fit = {});

/// Null unless the case has a Mach number. `problem`: that of make_problem(), with its wakes.
std::optional<bem::EquivalentFlow> make_equivalent(const Case& flow_case,
                                                   const meshes::SurfaceMesh& mesh,
                                                   const bem::FlowProblem& problem,
                                                   const bem::PanelFit& fit = {});

/// Called after every iteration of GMRES; false stops.
using OnIteration = std::function<bool(const bem::GmresIteration&)>;

bem::FlowOptions make_options(const Case& flow_case, OnIteration on_iteration);

/// The options for estimates of memory: those of the solve, with the preconditioner of equations of
/// the first kind where the problem has such equations.
bem::FlowOptions options_to_judge(const bem::FlowProblem& problem, bem::FlowOptions options);

}  // namespace rankine::cases
