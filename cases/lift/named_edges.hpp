// Trailing edges named in a case, and reports on the edges found on a mesh.
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

/// A predicate for the edges named by lift.edges; empty if the case names none and the program
/// finds the edges. Throws InputError for names that neither the mesh nor a file has.
bem::EdgeNames edge_names(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                          const bem::Panels& panels);

/// One line for each reason why sharp edges have a wake or none.
std::vector<std::string> reasons_of(const std::vector<bem::SharpEdge>& edges);

/// One line for each connected trailing edge: how well panels resolve the sections in front of it,
/// and the order of magnitude of the error of its lift that results at the nose
/// (docs/howto/wings.md).
std::vector<std::string> resolution_of(const bem::Panels& panels,
                                       const std::vector<bem::EdgeSegment>& segments);

/// Warns of named edges without a wake.
void warn_of_named(const std::vector<bem::SharpEdge>& edges, Log& log);

/// Lines along sharp edges with cell arrays for check.vtp: `edge` (1 or more, explained by
/// `legend`), its angle in degrees, and the depth ratio of its panels. The values of panels are
/// zero.
struct EdgeMarks {
  std::vector<std::array<std::int32_t, 2>> lines;
  std::vector<meshes::Field> fields;  ///< of the lines
  std::string legend;
};
EdgeMarks mark(const std::vector<bem::SharpEdge>& edges);

}  // namespace rankine::cases
