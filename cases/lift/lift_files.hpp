// Files of a lifting body: its circulation along the span, and its wakes.
#pragma once

#include <string>

#include "cases/lift/coefficients.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// A row per segment of the trailing edges.
std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftReference& reference);

/// The panels of the wakes within two extents of the body, and the circulation on them.
meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields);

}  // namespace rankine::cases
