
#include <fmt/format.h>

#include "cases/input/read_problem.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Throws InputError for a singularity `part`, read from `section`, that is not finite or cancelled
/// by images.
void check_part(const Section& section, const std::string& key, const bem::Onset& part,
                const meshes::Symmetry& symmetry) {
  try {
    bem::check(part, symmetry);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", section.position(key), error.what()));
  }
}

}  // namespace

void doublet_keys(Keys& keys, bem::PointDoublet& doublet) {
  keys.table("problem.doublet", "A point doublet in a flow.", true);
  keys.key("position", doublet.position,
           {.text = "Of the point.", .unit = "m", .example = "position = [0.0, 0.0, 2.0]"});
  keys.key("moment", doublet.moment,
           {.text = "From the sink to the source.",
            .unit = "m^4/s",
            .example = "moment = [1.0, 0.0, 0.0], m^4/s"});
}

void vortex_line_keys(Keys& keys, VortexLine& line) {
  keys.table("problem.vortex", "A straight vortex segment in a flow, or a line of them.", true);
  keys.key("points", line.points,
           {.text = "A line from point to point, instead of from and to.",
            .unit = "m",
            .written = !line.points.empty()});
  keys.check(line.points.size() != 1, "points",
             "has one point, which is no line; give two or more");
  const bool segment = line.points.empty() && !keys.gives("points");
  keys.only(segment, "beside points, the line from the first to the last");
  keys.key("from", line.from,
           {.text = "Begin.",
            .unit = "m",
            .example = "from = [0.0, -2.0, 1.0], with to; or points = [[...], [...]]"});
  keys.key("to", line.to, {.text = "End.", .unit = "m", .example = "to = [0.0, 2.0, 1.0]"});
  keys.only();
  keys.key("circulation", line.circulation,
           {.text = "Right-handed about the direction of the line.",
            .unit = "m^2/s",
            .example = "circulation = 1.0, m^2/s"});
}

OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry) {
  OnsetInput onset;
  Errors errors;
  const auto read_each = [&](const std::string& kind, const auto& read) {
    for (const Section& each : problem.tables(kind)) errors.collect([&] { read(each); });
  };
  read_each("source", [&](const Section& each) {
    SourceInput input;
    read_keys(each, source_keys, input);
    const bem::PointSource source{input.position, input.value};
    check_part(each, "position", {.sources = {source}}, symmetry);
    onset.flow.sources.push_back(source);
    onset.source_at.push_back(input.where);
  });
  read_each("doublet", [&](const Section& each) {
    bem::PointDoublet doublet;
    read_keys(each, doublet_keys, doublet);
    check_part(each, "position", {.doublets = {doublet}}, symmetry);
    onset.flow.doublets.push_back(doublet);
    onset.doublet_at.push_back(each.position("position"));
  });
  read_each("vortex", [&](const Section& each) {
    VortexLine line;
    read_keys(each, vortex_line_keys, line);
    const std::string key = line.points.empty() ? "from" : "points";
    if (line.points.empty()) line.points = {line.from, line.to};
    for (std::size_t k = 1; k < line.points.size(); ++k) {
      const bem::VortexSegment segment{line.points[k - 1], line.points[k], line.circulation};
      check_part(each, key, {.vortices = {segment}}, symmetry);
      onset.flow.vortices.push_back(segment);
      onset.vortex_at.push_back(each.position(key));
    }
  });
  errors.raise();
  return onset;
}

void check_onset(const OnsetInput& onset, const std::vector<BoundaryInput>& boundaries) {
  for (const BoundaryInput& each : boundaries) {
    if (each.type == BoundaryType::motion) {
      throw InputError(fmt::format(
          "{}: boundary.type \"motion\" does not go with sources, doublets or vortices, "
          "which walls that move would pass: give walls at rest and problem.velocity, "
          "the stream that they see, or remove {}",
          each.where, onset.first_name()));
    }
    if (has_potential(each.type) && !onset.flow.vortices.empty()) {
      throw InputError(
          fmt::format("{}: boundary.type \"potential\" does not go with [[problem.vortex]], which "
                      "has a velocity and no potential of one value; give a normal-velocity, or a "
                      "[[problem.doublet]] in place of a closed loop",
                      each.where));
    }
  }
}

std::string write_onset(const bem::Onset& onset) {
  std::string text;
  for (const bem::PointSource& each : onset.sources)
    text += write_keys({}, source_keys, SourceInput{each.position, each.strength});
  for (const bem::PointDoublet& each : onset.doublets) text += write_keys({}, doublet_keys, each);
  for (const bem::VortexSegment& each : onset.vortices)
    text += write_keys({}, vortex_line_keys, VortexLine{each.from, each.to, {}, each.circulation});
  return text;
}

}  // namespace rankine::cases
