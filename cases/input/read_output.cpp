#include "cases/input/read_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "cases/input/probe_count.hpp"
#include "cases/input/words.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto file_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

const std::vector<std::string> keys_of_probes{"name", "kind", "origin", "size",   "cells",
                                              "from", "to",   "count",  "points", "file"};

/// Octrees number points in 32 bits.
constexpr double most_points = std::numeric_limits<std::int32_t>::max();

std::string read_name(const Section& section, const std::string& example) {
  section.require("name", "name = \"" + example + "\"");
  const std::string name = section.text("name", {});
  if (name.empty() || name.find_first_not_of(file_name_letters) != std::string::npos) {
    section.fail(
        "name", fmt::format("names a file: letters, digits, '-' and '_' only, found \"{}\"", name));
  }
  return name;
}

ProbeInput read_probe(const Section& section, const fs::path& case_file) {
  ProbeInput probe;
  probe.name = read_name(section, "midplane");
  section.require("kind", "kind = \"plane\" (plane, box, line or points)");
  probe.kind = section.choice("kind", probe.kind, probe_words);
  const std::string kind = word(probe_words, probe.kind),
                    reason = fmt::format("for a probe of kind \"{}\"", kind);
  const bool grid = probe.kind == ProbeKind::plane || probe.kind == ProbeKind::box;
  const auto keys = [&](bool wanted,
                        const std::vector<std::pair<std::string, std::string>>& examples) {
    for (const auto& [key, example] : examples) {
      if (wanted) section.require(key, example);
      if (!wanted) refuse(section, {key}, reason);
    }
  };
  keys(grid, {{"origin", "origin = [-3.0, -3.0, 0.0]"},
              {"size", "size = [6.0, 6.0, 0.0]"},
              {"cells", "cells = [60, 60, 1]"}});
  keys(probe.kind == ProbeKind::line,
       {{"from", "from = [-3.0, 0.0, 0.0]"}, {"to", "to = [3.0, 0.0, 0.0]"}});
  const bool from_file = probe.kind == ProbeKind::points && section.has("file");
  if (from_file) refuse(section, {"points"}, "beside file, which holds the points");
  keys(probe.kind == ProbeKind::points && !from_file,
       {{"points", "points = [[0.0, 0.0, 2.0]], or file = \"points.csv\""}});
  if (!from_file) refuse(section, {"file"}, reason);
  if (from_file) probe.file = path_beside(case_file, section.text("file", {}));
  if (probe.kind != ProbeKind::line) refuse(section, {"count"}, reason);
  probe.origin = section.vector("origin", {});
  probe.size = section.vector("size", {}, at_least(0.0));
  probe.cells = section.integers("cells", probe.cells, between(1, most_points - 1));
  probe.from = section.vector("from", {});
  probe.to = section.vector("to", {});
  probe.count = section.integer("count", 101, between(2, most_points));
  probe.points = section.vectors("points");
  const int flat = (probe.size.x == 0.0) + (probe.size.y == 0.0) + (probe.size.z == 0.0);
  if (grid && flat != (probe.kind == ProbeKind::plane ? 1 : 0)) {
    section.fail(
        "size",
        probe.kind == ProbeKind::plane
            ? fmt::format("of a plane has exactly one zero component, found {}", flat)
            : fmt::format("of a box has no zero component, found {}; use kind = \"plane\"", flat));
  }
  return probe;
}

SectionInput read_section(const Section& section) {
  section.require("origin", "origin = [0.0, 0.0, 0.0]");
  section.require("normal", "normal = [1.0, 0.0, 0.0]");
  SectionInput cut{read_name(section, "midship"), section.vector("origin", {}),
                   section.vector("normal", {}), section.position("origin")};
  const double length = norm(cut.normal);
  if (!(length > 0.0) || !std::isfinite(length))
    section.fail("normal", "has no direction; give one, of any length");
  return cut;
}

StreamlineInput read_streamlines(const Section& section, const fs::path& case_file) {
  StreamlineInput lines;
  lines.seeds = read_probe(section, case_file);
  lines.course = section.choice("course", lines.course, course_words);
  lines.length = section.number("length", lines.length, at_least(0.0));
  lines.tolerance = section.number("tolerance", lines.tolerance, between(1e-10, 1e-2));
  if (!section.has("box")) return lines;
  const std::vector<Vec3d> corners = section.vectors("box");
  lines.box.emplace();
  for (const Vec3d& corner : corners) lines.box->add(corner);
  const Vec3d size = lines.box->size();
  if (corners.size() != 2 || !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
    section.fail("box", "needs two opposite corners, [[-3, -3, -3], [3, 3, 3]]");
  return lines;
}

/// The outputs of one kind, of which each has a name of its own, and together with the probes not too many points.
template <class Read>
void read_each(const Section& section, const std::string& kind,
               const std::vector<std::string>& keys, std::set<std::string>& names, Read read) {
  for (const Section& each : section.tables(kind, keys)) {
    const auto [name, points] = read(each);
    if (!names.insert(name).second) {
      each.fail("name",
                fmt::format("\"{}\" is taken; every {} needs its own file name", name, kind));
    }
    if (points > most_points) {
      each.fail("kind",
                fmt::format("makes {:.3g} points with the probes before it; all together can "
                            "have at most {:.0f}",
                            points, most_points));
    }
  }
}

}  // namespace

std::vector<ProbeInput> read_probes(const Section& output, const fs::path& case_file,
                                    std::set<std::string>& names) {
  std::vector<ProbeInput> probes;
  read_each(output, "probe", keys_of_probes, names, [&](const Section& each) {
    probes.push_back(read_probe(each, case_file));
    return std::pair(probes.back().name, probe_point_count(probes));
  });
  return probes;
}

OutputInput read_output(const Section& root, const fs::path& case_file) {
  const Section section = root.table("output", {"directory", "probe", "section", "streamlines"});
  OutputInput output;
  output.directory = path_beside(case_file, section.text("directory", "results"));
  std::set<std::string> names{"surface"};
  output.probes = read_probes(section, case_file, names);
  names.insert({"residuals", "added_mass"});  // .csv files, which sections are, too
  read_each(section, "section", {"name", "origin", "normal"}, names, [&](const Section& each) {
    output.sections.push_back(read_section(each));
    return std::pair(output.sections.back().name, 0.0);
  });
  std::vector<std::string> of_lines = keys_of_probes;
  of_lines.insert(of_lines.end(), {"course", "length", "tolerance", "box"});
  read_each(section, "streamlines", of_lines, names, [&](const Section& each) {
    output.streamlines.push_back(read_streamlines(each, case_file));
    const ProbeInput& seeds = output.streamlines.back().seeds;
    return std::pair(seeds.name, probe_point_count(seeds));
  });
  return output;
}

}  // namespace rankine::cases
