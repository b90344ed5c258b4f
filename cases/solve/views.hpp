// What a case asks for off the surface: probes and streamlines.
#pragma once

#include <optional>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/case_media.hpp"
#include "cases/solve/case_streamlines.hpp"
#include "cases/solve/probes.hpp"

namespace rankine::cases {

struct Views {
  std::vector<ProbeResult> probes;
  std::vector<StreamlineResult> streamlines;
};

/// `box`: of the mesh; `media`: where charges were solved for. Seeds without a line are warned of.
Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const bem::FlowOptions& options, bem::Backend& backend, Log& log);

}  // namespace rankine::cases
