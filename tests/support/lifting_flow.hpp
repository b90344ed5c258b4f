// Bodies with wakes in a stream.
#pragma once

#include <memory>
#include <utility>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::testing {

/// The wakes go along the stream, 1 kg/m^3.
inline bem::FlowProblem lifting_flow(bem::Panels panels, const Vec3d& stream) {
  bem::FlowProblem problem;
  problem.panels = std::move(panels);
  problem.stream = stream;
  problem.lift = std::make_shared<bem::LiftingEdges>(bem::lifting_edges(problem.panels, stream));
  return problem;
}

}  // namespace rankine::testing
