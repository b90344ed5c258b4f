// Output files of a lifting body: span loading and wakes.
#pragma once

#include <filesystem>
#include <string>

#include "cases/lift/coefficients.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// One row per segment of the trailing edges.
std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftResults& lift);

/// The lines of the wakes, ordered along y.
std::string wake_lines_csv(const bem::LiftingEdges& lift);
/// Wake lines at the nodes of the trailing edges, from a file of that format. Between the starts of
/// two consecutive lines of the file, nodes get a linear interpolation of these lines. Throws
/// InputError for lines that do not go downstream or differ in their number of points.
bem::WakeLines read_wake_lines(const std::filesystem::path& path, const bem::LiftingEdges& lift);

/// The wake panels within two body lengths, with their circulation in `fields`.
meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields);

}  // namespace rankine::cases
