// Panels that are equally deep on both sides of trailing edges (meshes/edge_strip.hpp).
#pragma once

#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/meshes/edge_strip.hpp"

namespace rankine::bem {

/// Cuts the panels at the trailing edges found on a mesh at one distance from them. `panels` are
/// those of the mesh. The pieces follow their smooth surface.
meshes::EdgeStrip cut_edge_strip(meshes::SurfaceMesh& mesh, const Panels& panels,
                                 const TrailingEdges& found);

}  // namespace rankine::bem
