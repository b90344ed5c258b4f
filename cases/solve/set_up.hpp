// Makes the problem and the options for bem/ from a case and its mesh.
#pragma once

#include <functional>
#include <optional>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// The problem with panels, stream and conditions (set_conditions()). Normals point into the fluid,
/// also for interior domains. `fit`: as in bem::make_panels.
bem::FlowProblem make_problem(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                              const bem::PanelFit& fit = {});

/// The equivalent incompressible flow; empty unless the case has a Mach number. `problem`: from
/// make_problem(), with wakes.
std::optional<bem::EquivalentFlow> make_equivalent(const Case& flow_case,
                                                   const meshes::SurfaceMesh& mesh,
                                                   const bem::FlowProblem& problem,
                                                   const bem::PanelFit& fit = {});

/// Called after every iteration of GMRES; returns false to stop.
using OnIteration = std::function<bool(const bem::GmresIteration&)>;

bem::FlowOptions make_options(const Case& flow_case, OnIteration on_iteration);

/// The options for memory forecasts: those of the solve, with the preconditioner of first-kind
/// equations if the problem has such equations.
bem::FlowOptions options_to_judge(const bem::FlowProblem& problem, bem::FlowOptions options);

}  // namespace rankine::cases
