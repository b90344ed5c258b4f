// Finds the wakes of a case and solves with them.
#pragma once

#include <memory>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/load_mesh.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"

namespace rankine::cases {

/// With lift.edge_strip: cuts the panels at trailing edges at one distance from them.
void cut_edge_strip(const Case& flow_case, LoadedMesh& loaded, Log& log);

/// The trailing edges; null if the case has no wakes. Splits panels of `problem` where wakes
/// continue along bodies. Throws InputError if no sharp edge is a trailing edge in the stream.
std::shared_ptr<const bem::LiftingEdges> find_wakes(const Case& flow_case,
                                                    const meshes::SurfaceMesh& mesh,
                                                    bem::FlowProblem& problem, Log& log);

/// Solves with the wakes of the case. Logs the iterations of wakes that follow the flow.
bem::Solution solve_with_wakes(const Case& flow_case, bem::FlowProblem& problem,
                               const bem::FlowOptions& options, bem::Backend& backend, Log& log);

/// Moves the wakes of a body to where those of the scaled body are.
void follow_wakes(const bem::EquivalentFlow& equivalent, bem::FlowProblem& problem);

/// For every segment the number of its connected trailing edge, from 0 on.
std::vector<std::size_t> edge_numbers(const std::vector<bem::EdgeSegment>& segments);

/// The number of connected trailing edges.
int count_edges(const std::vector<bem::EdgeSegment>& segments);

}  // namespace rankine::cases
