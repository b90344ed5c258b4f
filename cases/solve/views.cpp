#include "cases/solve/views.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "rankine/bem/fields/streamlines.hpp"
#include "rankine/bem/flow/field.hpp"

namespace rankine::cases {

Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const bem::FlowOptions& options, bem::Backend& backend, Log& log) {
  const OutputInput& output = flow_case.output;
  if (output.probes.empty() && output.streamlines.empty()) return {};
  const bem::FieldOptions accuracy{.fmm = options.fmm, .quadrature = {}};
  std::optional<bem::FieldEvaluator> flow;
  std::optional<bem::PotentialEvaluator> charges;
  if (flow_case.problem.kind != ProblemKind::electrostatics)
    flow.emplace(problem, solution, accuracy, backend);
  else if (!media)
    charges.emplace(problem.region(), solution, accuracy, backend);
  const ValuesAt at = [&](std::span<const Vec3d> points) {
    if (flow) return point_values(problem, solution.stream, flow->at(points));
    return electric_values(charges ? charges->at(points)
                                   : field_at(*media, points, options, backend));
  };
  for (const StreamlineInput& each : output.streamlines) {
    if (const std::string text = length_warning(each, box); !text.empty()) log.warning(text);
  }
  const FieldsAt fields_at = [&](std::span<const Vec3d> points) { return at(points).fields; };
  Views views{evaluate_probes(output.probes, fields_at),
              trace_streamlines(output.streamlines, box, at)};
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
