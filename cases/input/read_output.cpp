#include "cases/input/read_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "cases/input/case.hpp"
#include "cases/input/words.hpp"

namespace rankine::cases {
namespace {

/// Octrees index points with 32 bits.
constexpr double most_points = std::numeric_limits<std::int32_t>::max();

void name_key(Keys& keys, std::string& name, const std::string& example) {
  keys.key("name", name, {.text = "Of the file.", .example = "name = \"" + example + "\""});
  keys.check(!name.empty() && name.find_first_not_of(file_name_letters) == std::string::npos,
             "name",
             fmt::format("names a file: letters, digits, '-' and '_' only, found \"{}\"", name));
}

/// The keys that place the points of a probe or the seeds of streamlines.
void point_keys(Keys& keys, ProbeInput& probe) {
  name_key(keys, probe.name, "midplane");
  keys.key("kind", probe.kind, probe_words,
           {.text = "A grid, the points of a line, or a list of points.",
            .example = "kind = \"plane\" (plane, box, line or points)"});
  const bool plane = probe.kind == ProbeKind::plane, grid = plane || probe.kind == ProbeKind::box,
             points = probe.kind == ProbeKind::points;
  const std::string reason =
      fmt::format("for a probe of kind \"{}\"", word(probe_words, probe.kind));
  keys.only(grid, reason);
  keys.key(
      "origin", probe.origin,
      {.text = "Plane, box: lowest corner.", .unit = "m", .example = "origin = [-3.0, -3.0, 0.0]"});
  keys.key("size", probe.size,
           {.text = "Plane, box: edges. A plane has one zero.",
            .unit = "m",
            .range = at_least(0.0),
            .example = "size = [6.0, 6.0, 0.0]"});
  const int flat = (probe.size.x == 0.0) + (probe.size.y == 0.0) + (probe.size.z == 0.0);
  keys.check(
      !grid || flat == (plane ? 1 : 0), "size",
      plane ? fmt::format("of a plane has exactly one zero component, found {}", flat)
            : fmt::format("of a box has no zero component, found {}; use kind = \"plane\"", flat));
  keys.key("cells", probe.cells,
           {.text = "Plane, box: along each edge.",
            .range = between(1, most_points - 1),
            .example = "cells = [60, 60, 1]"});
  keys.only(probe.kind == ProbeKind::line, reason);
  keys.key("from", probe.from,
           {.text = "Line: begin.", .unit = "m", .example = "from = [-3.0, 0.0, 0.0]"});
  keys.key("to", probe.to, {.text = "Line: end.", .unit = "m", .example = "to = [3.0, 0.0, 0.0]"});
  keys.key("count", probe.count, {"Line: points.", "", between(2, most_points)});
  keys.only(points, reason);
  keys.key("file", probe.file, {"Points: a .csv, .vtp, .vtu or .vtk, instead of a list."});
  keys.only(points && probe.file.empty(), points ? "beside file, which holds the points" : reason);
  keys.key("points", probe.points,
           {.text = "Points: the list.",
            .unit = "m",
            .example = "points = [[0.0, 0.0, 2.0]], or file = \"points.csv\""});
  keys.only();
}

/// The member of an output that has its name and points.
const ProbeInput& points_of(const ProbeInput& probe) { return probe; }
const ProbeInput& points_of(const StreamlineInput& lines) { return lines.seeds; }
const SectionInput& points_of(const SectionInput& section) { return section; }
double count_points(const std::vector<SectionInput>&) { return 0.0; }
double count_points(const std::vector<ProbeInput>& all) { return probe_point_count(all); }
double count_points(const std::vector<StreamlineInput>& all) {
  return probe_point_count(all.back().seeds);
}

/// Reads all outputs of one kind: names are unique, and the total number of points is limited.
template <class T>
std::vector<T> read_each(const Section& output, const std::string& kind, void (*table)(Keys&, T&),
                         std::set<std::string>& names) {
  std::vector<T> all;
  Errors errors;
  for (const Section& each : output.tables(kind)) {
    errors.collect([&] {
      read_keys(each, table, all.emplace_back());
      const std::string& name = points_of(all.back()).name;
      if (!names.insert(name).second) {
        each.fail("name",
                  fmt::format("\"{}\" is taken; every {} needs its own file name", name, kind));
      }
      if (count_points(all) > most_points) {
        each.fail("kind",
                  fmt::format("makes {:.3g} points with the probes before it; all together can "
                              "have at most {:.0f}",
                              count_points(all), most_points));
      }
    });
  }
  errors.raise();
  return all;
}

template <class T>
std::string write_each(const std::vector<T>& all, void (*table)(Keys&, T&),
                       const std::filesystem::path& folder) {
  std::string text;
  for (const T& each : all) text += write_keys(folder, table, each);
  return text;
}

}  // namespace

void output_keys(Keys& keys, OutputInput& output) {
  keys.table("output", "Where results go.");
  keys.key("directory", output.directory, {"Of the results."});
  keys.holds({"probe", "section", "streamlines"});
}

void probe_keys(Keys& keys, ProbeInput& probe) {
  keys.table("output.probe", "Points off the surface: NAME.vti (plane, box), NAME.vtp.", true);
  point_keys(keys, probe);
}

void section_keys(Keys& keys, SectionInput& section) {
  keys.table("output.section", "The surface along a plane: NAME.csv and NAME.vtp.", true);
  name_key(keys, section.name, "midship");
  keys.key("origin", section.origin,
           {.text = "A point of the plane.", .unit = "m", .example = "origin = [0.0, 0.0, 0.0]"});
  keys.key("normal", section.normal,
           {.text = "Of any length.", .example = "normal = [1.0, 0.0, 0.0]"});
  const double length = norm(section.normal);
  keys.check(length > 0.0 && std::isfinite(length), "normal",
             "has no direction; give one, of any length");
  section.where = keys.position("origin");
}

void streamline_keys(Keys& keys, StreamlineInput& lines) {
  keys.table("output.streamlines", "Lines that follow the flow from points: NAME.vtp.", true);
  point_keys(keys, lines.seeds);
  keys.key("course", lines.course, course_words, {"From the points."});
  keys.key("length", lines.length,
           {"Of each direction. 0: five diagonals of the mesh's box.", "m", at_least(0.0)});
  keys.key("tolerance", lines.tolerance,
           {"Error of a step over the diagonal of the mesh's box.", "", between(1e-10, 1e-2)});
  std::vector<Vec3d> corners;
  if (lines.box) corners = {lines.box->lower, lines.box->upper};
  keys.key("box", corners,
           {.text = "Two opposite corners of where lines end.",
            .unit = "m",
            .written = lines.box.has_value()});
  if (corners.empty()) return;
  lines.box.emplace();
  for (const Vec3d& corner : corners) lines.box->add(corner);
  const Vec3d size = lines.box->size();
  keys.check(corners.size() == 2 && size.x > 0.0 && size.y > 0.0 && size.z > 0.0, "box",
             "needs two opposite corners, [[-3, -3, -3], [3, 3, 3]]");
}

std::vector<ProbeInput> read_probes(const Section& output, std::set<std::string>& names) {
  return read_each(output, "probe", probe_keys, names);
}

OutputInput read_output(const Section& root) {
  const Section section = root.table("output");
  OutputInput output;
  output.directory = root.beside(output.directory);
  std::set<std::string> names{"surface"};
  Errors errors;
  errors.collect([&] { read_keys(section, output_keys, output); });
  errors.collect([&] { output.probes = read_probes(section, names); });
  names.insert({"residuals", "added_mass"});  // .csv files, as sections are
  errors.collect([&] { output.sections = read_each(section, "section", section_keys, names); });
  errors.collect(
      [&] { output.streamlines = read_each(section, "streamlines", streamline_keys, names); });
  errors.raise();
  return output;
}

std::string write_probes(const std::vector<ProbeInput>& probes,
                         const std::filesystem::path& folder) {
  return write_each(probes, probe_keys, folder);
}

std::string write_output(const OutputInput& output, const std::filesystem::path& folder) {
  return write_keys(folder, output_keys, output) + write_probes(output.probes, folder) +
         write_each(output.sections, section_keys, folder) +
         write_each(output.streamlines, streamline_keys, folder);
}

}  // namespace rankine::cases
