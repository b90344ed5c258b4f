// The trailing edges that a case names, and reports of the edges that were found on a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Tells whether lift.edges names an edge; empty if the case has no lift.edges, so that the program
/// finds the edges. Throws InputError for names that neither the mesh nor a file has.
bem::EdgeNames edge_names(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                          const bem::Panels& panels);

/// A line for each reason why sharp edges have a wake or none.
std::vector<std::string> reasons_of(const std::vector<bem::SharpEdge>& edges);

/// Warns of named edges that have no wake.
void warn_of_named(const std::vector<bem::SharpEdge>& edges, Log& log);

/// Lines of edges with cell arrays for check.vtp: `edge`, 1 and more, which `legend` explains, its
/// angle in degrees, and the ratio of depths of its panels. Panels have zeros.
struct EdgeMarks {
  std::vector<std::array<std::int32_t, 2>> lines;
  std::vector<meshes::Field> fields;  ///< of the lines
  std::string legend;
};
EdgeMarks mark(const std::vector<bem::SharpEdge>& edges);

}  // namespace rankine::cases
