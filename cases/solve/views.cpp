#include "cases/solve/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "rankine/bem/electric/electric_regions.hpp"
#include "rankine/bem/fields/streamlines.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/meshes/plane_cut.hpp"

namespace rankine::cases {
namespace {

/// Interpolates a nodal field to the points of a cut.
meshes::Field along(const meshes::Field& of_nodes, const std::vector<meshes::CutPoint>& points) {
  const auto width = static_cast<std::size_t>(of_nodes.components);
  meshes::Field field{of_nodes.name, of_nodes.components, {}};
  for (const meshes::CutPoint& point : points) {
    const double* const a = of_nodes.values.data() + static_cast<std::size_t>(point.from) * width;
    const double* const b = of_nodes.values.data() + static_cast<std::size_t>(point.to) * width;
    for (std::size_t c = 0; c < width; ++c)
      field.values.push_back((1.0 - point.share) * a[c] + point.share * b[c]);
  }
  return field;
}

SectionResult describe(const std::string& name, const meshes::PlaneCut& cut,
                       const meshes::SurfaceMesh& mesh, const meshes::Fields& fields,
                       const CaseBodies& bodies) {
  SectionResult result{.name = name};
  std::vector<meshes::CutPoint> points;
  meshes::Field line{"line", 1, {}}, s{"s", 1, {}}, patch{"patch", 1, {}}, body{"body", 1, {}};
  for (const meshes::CutLine& each : cut.lines) {
    double length = 0.0;
    for (std::size_t k = 0; k < each.points.size(); ++k) {
      const meshes::CutPoint& point = each.points[k];
      const Vec3d x = meshes::position(mesh, point);
      if (k > 0) length += norm(x - result.points.back());
      result.points.push_back(x);
      points.push_back(point);
      line.values.push_back(static_cast<double>(result.sizes.size()));
      s.values.push_back(length);
      patch.values.push_back(mesh.patch[point.element]);
      body.values.push_back(bodies.rigid.body[point.element]);
    }
    result.sizes.push_back(each.points.size());
  }
  result.fields.point = {std::move(line), std::move(s)};
  for (const meshes::Field& each : fields.point) result.fields.point.push_back(along(each, points));
  result.fields.point.push_back(std::move(patch));
  result.fields.point.push_back(std::move(body));
  return result;
}

/// A text as a .csv field, quoted if it contains commas or quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// Relative to the diagonal of the bounding box of the mesh.
constexpr double default_length = 5.0, most_step = 0.02;

bem::StreamlineOptions options_of(const StreamlineInput& input, double diagonal) {
  bem::StreamlineOptions options;
  options.length = input.length > 0.0 ? input.length : default_length * diagonal;
  options.tolerance = input.tolerance * diagonal;
  options.most_step = most_step * diagonal;
  if (input.box) options.box = *input.box;
  return options;
}

/// One line from the upstream and the downstream part of a seed.
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

/// Traces lines in the directions of `course`; the other direction stays empty.
bem::LinesOfBothSenses trace_ways(const bem::VelocityField& velocity, std::span<const Vec3d> seeds,
                                  Course course, bem::StreamlineOptions options) {
  bem::LinesOfBothSenses lines;
  switch (course) {
    case Course::both:
      return bem::trace_both_senses(velocity, seeds, options);
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
  const bem::LinesOfBothSenses senses =
      trace_ways(velocity, seeds, input.course, options_of(input, diagonal));
  StreamlineResult result{{input.seeds.name}};
  meshes::Field s{"s", 1, {}}, seed{"seed", 1, {}}, speed{"speed", 1, {}};
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    bem::Streamline line = joined(senses.upstream.empty() ? none : senses.upstream[i],
                                  senses.downstream.empty() ? none : senses.downstream[i]);
    if (senses.downstream.empty()) {
      line.points.push_back(seeds[i]);
      line.s.push_back(0.0);
    }
    if (line.points.size() < 2) {
      ++result.in_bodies;
      continue;
    }
    for (const auto* lines : {&senses.upstream, &senses.downstream}) {
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

std::vector<SectionResult> cut_sections(const std::vector<SectionInput>& sections,
                                        const meshes::SurfaceMesh& mesh,
                                        const meshes::Fields& fields, const CaseBodies& bodies,
                                        Log& log) {
  std::vector<SectionResult> results;
  for (const SectionInput& section : sections) {
    const meshes::PlaneCut cut = meshes::cut_by_plane(mesh, section.origin, section.normal);
    if (cut.lines.empty()) {
      log.warning(
          fmt::format("{}: the plane of the section \"{}\" misses the surface by {:.4g} m; "
                      "no file is written for it",
                      section.where, section.name, cut.distance));
      continue;
    }
    results.push_back(describe(section.name, cut, mesh, fields, bodies));
  }
  return results;
}

std::string section_csv(const SectionResult& section, const meshes::SurfaceMesh& mesh,
                        const CaseBodies& bodies) {
  const std::vector<meshes::Field>& fields = section.fields.point;
  std::string text = "line,s,x,y,z";
  for (std::size_t f = 2; f < fields.size(); ++f) {
    if (fields[f].components == 1) text += "," + fields[f].name;
    for (int c = 0; fields[f].components == 3 && c < 3; ++c)
      text += fmt::format(",{}_{}", fields[f].name, "xyz"[c]);
  }
  text += "\n";
  for (std::size_t k = 0; k < section.points.size(); ++k) {
    const Vec3d& x = section.points[k];
    text += fmt::format("{},{:.12g},{:.12g},{:.12g},{:.12g}", fields[0].values[k],
                        fields[1].values[k], x.x, x.y, x.z);
    for (std::size_t f = 2; f < fields.size(); ++f) {
      const auto width = static_cast<std::size_t>(fields[f].components);
      for (std::size_t c = 0; c < width; ++c) {
        const double value = fields[f].values[k * width + c];
        if (f + 2 < fields.size()) {
          text += fmt::format(",{:.9g}", value);
        } else {
          const auto index = static_cast<std::size_t>(value);
          text +=
              "," + quoted(f + 2 == fields.size() ? mesh.patch_names[index] : bodies.name[index]);
        }
      }
    }
    text += "\n";
  }
  return text;
}

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

Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const std::optional<bem::Field>& probed, const bem::FlowOptions& options,
                     bem::Backend& backend, Log& log, const bem::GoethertRule* rule) {
  const OutputInput& output = flow_case.output;
  if (output.probes.empty() && output.streamlines.empty()) return {};
  const bem::FieldOptions accuracy{.fmm = options.fmm, .quadrature = {}};
  std::optional<bem::FieldEvaluator> flow;
  std::optional<bem::ElectricEvaluator> charges;
  const bool known = probed && output.streamlines.empty();
  if (!known && !media) flow.emplace(problem, solution, accuracy, backend);
  if (media) charges.emplace(media->problem, media->solution, accuracy, backend);
  double sum_error = 0.0;
  const auto values_at = [&](std::span<const Vec3d> points) {
    if (rule) {
      std::vector<Vec3d> stretched;
      for (const Vec3d& x : points) stretched.push_back(rule->stretched(x));
      return point_values(problem, solution.stream,
                          rule->physical(solution.stream, flow->at(stretched)));
    }
    if (flow) return point_values(problem, solution.stream, flow->at(points));
    return electric_values(charges->at(points));
  };
  const auto noted = [&](PointValues values) {
    sum_error = std::max(sum_error, values.sum_error);
    return values;
  };
  const ValuesAt at = [&](std::span<const Vec3d> points) { return noted(values_at(points)); };
  for (const StreamlineInput& each : output.streamlines) {
    if (const std::string text = length_warning(each, box); !text.empty()) log.warning(text);
  }
  const FieldsAt fields_at = [&](std::span<const Vec3d> points) {
    return probed ? noted(point_values(problem, solution.stream, *probed)).fields
                  : at(points).fields;
  };
  Views views{evaluate_probes(output.probes, fields_at),
              trace_streamlines(output.streamlines, box, at)};
  if (sum_error > 0.0) {
    log.warning(fmt::format(
        "sums at probes and streamlines err by {:.1e}, where fmm.tolerance asks for {:.1e}: {}",
        sum_error, options.fmm.tolerance,
        options.fmm.order > 0 ? "remove fmm.order" : "a higher order does not help"));
  }
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
