// From a case and its mesh to the problem and the options that bem/ solves.
#pragma once

#include <functional>
#include <optional>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Panels, stream and what set_conditions() finds; inside, with the normals into the fluid.
/// `normals`: as of bem::make_panels.
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

/// The options by which memory is judged: with the preconditioner that equations of the first kind
/// take.
bem::FlowOptions options_to_judge(const bem::FlowProblem& problem, bem::FlowOptions options);

}  // namespace rankine::cases
