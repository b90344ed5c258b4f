#include "cases/solve/case_streamlines.hpp"

#include <fmt/format.h>

#include <utility>

#include "rankine/bem/fields/streamlines.hpp"

namespace rankine::cases {
namespace {

/// In diagonals of the mesh's box.
constexpr double default_length = 5.0, most_step = 0.02;

bem::StreamlineOptions options_of(const StreamlineInput& input, double diagonal) {
  bem::StreamlineOptions options;
  options.length = input.length > 0.0 ? input.length : default_length * diagonal;
  options.tolerance = input.tolerance * diagonal;
  options.most_step = most_step * diagonal;
  if (input.box) options.box = *input.box;
  return options;
}

/// Puts what lies upstream of a seed before it.
bem::Streamline joined(const bem::Streamline& upstream, const bem::Streamline& downstream) {
  bem::Streamline line;
  for (std::size_t k = upstream.points.size(); k > 1; --k) {
    line.points.push_back(upstream.points[k - 1]);
    line.s.push_back(-upstream.s[k - 1]);
  }
  line.points.insert(line.points.end(), downstream.points.begin(), downstream.points.end());
  line.s.insert(line.s.end(), downstream.s.begin(), downstream.s.end());
  return line;
}

/// None of a way that is not wanted.
bem::LinesBothWays trace_ways(const bem::VelocityField& velocity, std::span<const Vec3d> seeds,
                              Course course, bem::StreamlineOptions options) {
  bem::LinesBothWays lines;
  switch (course) {
    case Course::both:
      return bem::trace_both_ways(velocity, seeds, options);
    case Course::downstream:
      lines.downstream = bem::trace_streamlines(velocity, seeds, options);
      break;
    case Course::upstream:
      options.upstream = true;
      lines.upstream = bem::trace_streamlines(velocity, seeds, options);
      break;
  }
  return lines;
}

StreamlineResult trace(const StreamlineInput& input, double diagonal, const ValuesAt& at) {
  const bem::VelocityField velocity = [&](std::span<const Vec3d> points) {
    PointValues found = at(points);
    return bem::VelocitySample{std::move(found.along), std::move(found.inside)};
  };
  const std::vector<Vec3d> seeds = probe_points(input.seeds);
  const bem::Streamline none;
  const bem::LinesBothWays ways =
      trace_ways(velocity, seeds, input.course, options_of(input, diagonal));
  StreamlineResult result{.name = input.seeds.name};
  meshes::Field s{"s", 1, {}}, seed{"seed", 1, {}}, speed{"speed", 1, {}};
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    bem::Streamline line = joined(ways.upstream.empty() ? none : ways.upstream[i],
                                  ways.downstream.empty() ? none : ways.downstream[i]);
    if (ways.downstream.empty()) {
      line.points.push_back(seeds[i]);
      line.s.push_back(0.0);
    }
    if (line.points.size() < 2) {
      ++result.in_bodies;
      continue;
    }
    for (const auto* lines : {&ways.upstream, &ways.downstream}) {
      if (!lines->empty() && (*lines)[i].end == bem::LineEnd::steps) ++result.cut;
    }
    result.points.insert(result.points.end(), line.points.begin(), line.points.end());
    result.sizes.push_back(line.points.size());
    s.values.insert(s.values.end(), line.s.begin(), line.s.end());
    seed.values.insert(seed.values.end(), line.points.size(), static_cast<double>(i));
  }
  result.fields.point = {std::move(s), std::move(seed)};
  if (result.points.empty()) return result;
  PointValues found = at(result.points);
  for (const Vec3d& u : found.along) speed.values.push_back(norm(u));
  result.fields.point.push_back(std::move(speed));
  for (meshes::Field& each : found.fields.point) result.fields.point.push_back(std::move(each));
  return result;
}

}  // namespace

std::string length_warning(const StreamlineInput& streamlines, const BoundingBox& box) {
  const bem::StreamlineOptions options = options_of(streamlines, box.diagonal());
  if (options.length <= options.most_steps * options.most_step) return {};
  return fmt::format(
      "streamlines \"{}\": a length of {} m takes more than {} steps of {:.3g} m, "
      "after which lines end; give a shorter length or a box",
      streamlines.seeds.name, options.length, options.most_steps, options.most_step);
}

std::vector<StreamlineResult> trace_streamlines(const std::vector<StreamlineInput>& streamlines,
                                                const BoundingBox& box, const ValuesAt& at) {
  std::vector<StreamlineResult> results;
  for (const StreamlineInput& each : streamlines)
    results.push_back(trace(each, box.diagonal(), at));
  return results;
}

}  // namespace rankine::cases
