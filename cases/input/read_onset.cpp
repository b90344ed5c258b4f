#include "cases/input/read_onset.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// A line from point to point.
std::vector<Vec3d> read_path(const Section& section) {
  if (section.has("points")) {
    refuse(section, {"from", "to"}, "beside points, the line from the first to the last");
    std::vector<Vec3d> points = section.vectors("points");
    if (points.size() < 2)
      section.fail("points", "has one point, which is no line; give two or more");
    return points;
  }
  section.require("from", "from = [0.0, -2.0, 1.0], with to; or points = [[...], [...]]");
  section.require("to", "to = [0.0, 2.0, 1.0]");
  return {section.vector("from", {}), section.vector("to", {})};
}

/// `part` is what `section` has added.
void check_part(const Section& section, const std::string& key, const bem::Onset& part,
                const meshes::Symmetry& symmetry) {
  try {
    bem::check(part, symmetry);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", section.position(key), error.what()));
  }
}

void check_conditions(const OnsetInput& onset, const std::vector<BoundaryInput>& boundaries) {
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

}  // namespace

OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry,
                      const std::vector<BoundaryInput>& boundaries) {
  OnsetInput onset;
  for (const Section& each : problem.tables("source", {"position", "value"})) {
    each.require("position", "position = [0.0, 0.0, 2.0]");
    each.require("value", "value = 1.0, m^3/s");
    const bem::PointSource source{each.vector("position", {}), each.number("value", 0.0)};
    check_part(each, "position", {.sources = {source}}, symmetry);
    onset.flow.sources.push_back(source);
    onset.source_at.push_back(each.position("position"));
  }
  for (const Section& each : problem.tables("doublet", {"position", "moment"})) {
    each.require("position", "position = [0.0, 0.0, 2.0]");
    each.require("moment", "moment = [1.0, 0.0, 0.0], m^4/s");
    const bem::PointDoublet doublet{each.vector("position", {}), each.vector("moment", {})};
    check_part(each, "position", {.doublets = {doublet}}, symmetry);
    onset.flow.doublets.push_back(doublet);
    onset.doublet_at.push_back(each.position("position"));
  }
  for (const Section& each : problem.tables("vortex", {"from", "to", "points", "circulation"})) {
    const std::vector<Vec3d> path = read_path(each);
    each.require("circulation", "circulation = 1.0, m^2/s");
    const double circulation = each.number("circulation", 0.0);
    const std::string key = each.has("points") ? "points" : "from";
    for (std::size_t k = 1; k < path.size(); ++k) {
      const bem::VortexSegment segment{path[k - 1], path[k], circulation};
      check_part(each, key, {.vortices = {segment}}, symmetry);
      onset.flow.vortices.push_back(segment);
      onset.vortex_at.push_back(each.position(key));
    }
  }
  if (!onset.flow.empty()) check_conditions(onset, boundaries);
  return onset;
}

}  // namespace rankine::cases
