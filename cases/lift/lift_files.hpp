// Files of a lifting body: its circulation along the span, and its wakes.
#pragma once

#include <filesystem>
#include <string>

#include "cases/lift/coefficients.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// A row per segment of the trailing edges.
std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftReference& reference);

/// The lines of the wakes, along y.
std::string wake_lines_csv(const bem::LiftingEdges& lift);
/// The lines that such a file has, at the nodes of trailing edges: where a line of the file starts,
/// that one, and between two of them in the order of the file their mean, weighted linearly. Throws
/// InputError for lines that do not go downstream or have different numbers of points.
bem::WakeLines read_wake_lines(const std::filesystem::path& path, const bem::LiftingEdges& lift);

/// The panels of the wakes within two extents of the body, and the circulation on them.
meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields);

}  // namespace rankine::cases
