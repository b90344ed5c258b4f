#include "cases/solve/views.hpp"

#include <fmt/format.h>

#include <span>

#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/streamlines.hpp"

namespace rankine::cases {

Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const bem::FlowOptions& options, bem::Backend& backend, Log& log) {
  const OutputInput& output = flow_case.output;
  if (output.probes.empty() && output.streamlines.empty()) return {};
  bem::FieldEvaluator field(problem, solution, {.fmm = options.fmm, .quadrature = {}}, backend);
  const FieldAt at = [&](std::span<const Vec3d> points) {
    return media ? field_at(*media, points, options, backend) : field.at(points);
  };
  const bool electric = flow_case.problem.kind == ProblemKind::electrostatics;
  const FieldsAt fields_at = [&](std::span<const Vec3d> points) {
    return point_fields(problem, solution.stream, at(points), electric);
  };
  for (const StreamlineInput& each : output.streamlines) {
    if (const std::string text = length_warning(each, box); !text.empty()) log.warning(text);
  }
  Views views{evaluate_probes(output.probes, fields_at),
              trace_streamlines(output.streamlines, box, problem, solution.stream, at, electric)};
  for (const StreamlineResult& lines : views.streamlines) {
    if (lines.in_bodies > 0) {
      log.warning(
          fmt::format("streamlines \"{}\": {} of {} seeds are in a body, outside the box or at "
                      "rest, and have no line",
                      lines.name, lines.in_bodies, lines.in_bodies + lines.sizes.size()));
    }
    if (lines.cut > 0) {
      log.warning(fmt::format(
          "streamlines \"{}\": {} of {} lines end after {} steps, before their "
          "length",
          lines.name, lines.cut, lines.sizes.size(), bem::StreamlineOptions{}.most_steps));
    }
  }
  return views;
}

}  // namespace rankine::cases
