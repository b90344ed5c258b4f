#include "cases/lift/named_edges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "cases/input/suggest.hpp"
#include "cases/lift/wakes.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/bem/lift/edge_section.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::cases {
namespace {

constexpr double to_degrees = 180.0 / std::numbers::pi;

/// In the order of the enumerators of bem::EdgeVerdict.
constexpr std::array<const char*, 7> reasons{
    "have wakes",
    "are the lower corners of blunt trailing edges",
    "are not left by the stream (within 60 degrees of the direction out of the edge, 75 if named)",
    "are blunter than 60 degrees, named ones than 120",
    "are corners of a base thicker than a twentieth of its length",
    "are the short ends of a base",
    "are not named by lift.edges"};

double distance_from(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double square = dot(along, along);
  const double t = square > 0.0 ? std::clamp(dot(x - a, along) / square, 0.0, 1.0) : 0.0;
  return norm(x - a - t * along);
}

/// A predicate for edges with both ends on the polyline `ends`, on either side of a blunt base.
/// Edges that are too blunt for a wake must be closer: the rows of panels beside a trailing edge
/// are often much longer than deep.
bem::EdgeNames on_line(const bem::Panels& panels, std::vector<Vec3d> ends) {
  return [&panels, ends = std::move(ends)](const bem::EdgeSegment& edge) {
    constexpr double share = 0.05;  // tolerance, as a fraction of the length of the edge
    const Vec3d a = bem::corner_at(panels, edge.upper, edge.first),
                b = bem::corner_at(panels, edge.upper, edge.second);
    const double length = norm(b - a),
                 depth = panels.area[static_cast<std::size_t>(edge.upper)] / length;
    const bool blunt = std::cos(edge.angle) < meshes::limits::opposed_cosine;
    const double tolerance = share * (blunt ? std::min(length, depth) : length);
    const auto is_on = [&](const Vec3d& x) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k + 1 < ends.size(); k += 2)
        least = std::min(least, distance_from(x, ends[k], ends[k + 1]));
      return least <= tolerance;
    };
    return (is_on(a) && is_on(b)) || (is_on(a + edge.base) && is_on(b + edge.base));
  };
}

std::vector<Vec3d> pieces_of(const std::vector<Vec3d>& points) {
  std::vector<Vec3d> ends;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    ends.push_back(points[k]);
    ends.push_back(points[k + 1]);
  }
  return ends;
}

bem::EdgeNames between_patches(const std::vector<std::string>& names,
                               const meshes::SurfaceMesh& mesh, const bem::Panels& panels) {
  std::array<std::int32_t, 2> patch{};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto at = std::find(mesh.patch_names.begin(), mesh.patch_names.end(), names[k]);
    if (at == mesh.patch_names.end()) {
      throw InputError(fmt::format("lift.edges: the mesh has no patch \"{}\"{}", names[k],
                                   did_you_mean(names[k], mesh.patch_names)));
    }
    patch[k] = static_cast<std::int32_t>(at - mesh.patch_names.begin());
  }
  return [&panels, patch](const bem::EdgeSegment& edge) {
    const std::int32_t a = panels.patch[static_cast<std::size_t>(edge.upper)],
                       b = panels.patch[static_cast<std::size_t>(edge.lower)];
    return (a == patch[0] && b == patch[1]) || (a == patch[1] && b == patch[0]);
  };
}

}  // namespace

bem::EdgeNames edge_names(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                          const bem::Panels& panels) {
  const std::vector<std::string>& names = flow_case.lift.edges;
  if (!flow_case.lift.names_edges()) return {};
  if (names.size() == 2) return between_patches(names, mesh, panels);
  std::vector<std::string> known;
  for (const meshes::NamedCurve& curve : mesh.curves) {
    if (curve.name == names.front()) return on_line(panels, curve.ends);
    known.push_back(fmt::format("\"{}\"", curve.name));
  }
  if (const std::filesystem::path& file = flow_case.lift.edges_file; !file.empty()) {
    const std::vector<Vec3d> points = read_points(file);
    if (points.size() < 2) throw InputError(file.string() + ": a line has two points at least");
    return on_line(panels, pieces_of(points));
  }
  throw InputError(fmt::format(
      "lift.edges: there is neither a file nor a physical curve \"{}\"; the mesh has {}",
      names.front(),
      known.empty() ? "no physical curves" : fmt::format("{}", fmt::join(known, ", "))));
}

std::vector<std::string> reasons_of(const std::vector<bem::SharpEdge>& edges) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < reasons.size(); ++k) {
    std::size_t count = 0;
    double sharpest = std::numbers::pi, bluntest = 0.0, ratio = 1.0;
    for (const bem::SharpEdge& edge : edges) {
      if (static_cast<std::size_t>(edge.verdict) != k) continue;
      ++count;
      sharpest = std::min(sharpest, edge.angle);
      bluntest = std::max(bluntest, edge.angle);
      ratio = std::max(ratio, edge.depth_ratio);
    }
    if (count == 0) continue;
    lines.push_back(
        fmt::format("{} {}, {:.1f} to {:.1f} degrees sharp{}", count, reasons[k],
                    to_degrees * sharpest, to_degrees * bluntest,
                    k == 0 ? fmt::format(", depths of panels up to {:.2f} : 1", ratio) : ""));
  }
  return lines;
}

std::vector<std::string> resolution_of(const bem::Panels& panels,
                                       const std::vector<bem::EdgeSegment>& segments) {
  struct Resolution {
    std::vector<double> depth, size, turn;  // of every section
  };
  const bem::PanelNeighbourhood around(panels);
  const std::vector<std::size_t> numbers = edge_numbers(segments);
  std::map<std::size_t, Resolution> edges;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const bem::EdgeSegment& edge = segments[s];
    const Vec3d a = bem::corner_at(panels, edge.upper, edge.first),
                b = bem::corner_at(panels, edge.upper, edge.second), middle = 0.5 * (a + b),
                up = normalized(cross(b - a, edge.outward));
    std::vector<bem::SectionPanel> loop = bem::section_side(around, edge, middle, true),
                                   below = bem::section_side(around, edge, middle, false);
    Resolution& of = edges[numbers[s]];
    const double chord = std::max(loop.back().depth, below.back().depth);
    of.depth.push_back(2.0 * std::max(loop.front().depth, below.front().depth) / chord);
    loop.insert(loop.end(), below.rbegin(), below.rend());
    double size = 0.0, highest = 0.0, lowest = 0.0, turn = 0.0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t panel = loop[i].panel;
      size = std::max(size, std::sqrt(panels.area[static_cast<std::size_t>(panel)]));
      const double height = dot(around.centroid(panel) - middle, up);
      highest = std::max(highest, height);
      lowest = std::min(lowest, height);
      if (i > 0)
        turn = std::max(
            turn, std::acos(std::clamp(dot(around.normal(panel), around.normal(loop[i - 1].panel)),
                                       -1.0, 1.0)));
    }
    of.size.push_back(size / (highest - lowest));
    of.turn.push_back(to_degrees * turn);
  }
  // Near tips of swept wings sections normal to the edge end early.
  const auto median = [](std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  constexpr double error_per_degree = 0.014;  // %, of the lift from the pressure
  std::vector<std::string> lines;
  for (auto& [number, of] : edges) {
    const double turn = median(of.turn);
    lines.push_back(fmt::format(
        "edge {}: panels {:.2g} of the chord deep and {:.2g} times as large as the wing is thick, "
        "at the nose {:.0f} degrees between them: an error of its lift of the order of {:.1g} %",
        number + 1, median(of.depth), median(of.size), turn, error_per_degree * turn));
  }
  return lines;
}

void warn_of_named(const std::vector<bem::SharpEdge>& edges, Log& log) {
  std::size_t count = 0;
  const bem::SharpEdge* first = nullptr;
  for (const bem::SharpEdge& edge : edges) {
    if (!edge.named || edge.verdict == bem::EdgeVerdict::sheds) continue;
    if (count++ == 0) first = &edge;
  }
  if (count == 0) return;
  log.warning(fmt::format(
      "{} of the edges that lift.edges names have no wake, the first near ({:.4g}, {:.4g}, {:.4g}) "
      "m: such edges {}",
      count, first->middle.x, first->middle.y, first->middle.z,
      reasons[static_cast<std::size_t>(first->verdict)]));
}

EdgeMarks mark(const std::vector<bem::SharpEdge>& edges) {
  EdgeMarks marks;
  meshes::Field verdict{"edge", 1, {}}, angle{"edge_angle", 1, {}}, depths{"depth_ratio", 1, {}};
  for (const bem::SharpEdge& edge : edges) {
    marks.lines.push_back({edge.first, edge.second});
    verdict.values.push_back(1.0 + static_cast<double>(edge.verdict));
    angle.values.push_back(to_degrees * edge.angle);
    depths.values.push_back(edge.depth_ratio);
  }
  marks.fields = {std::move(verdict), std::move(angle), std::move(depths)};
  for (std::size_t k = 0; k < reasons.size(); ++k)
    marks.legend += fmt::format("{}{} = {}", k == 0 ? "" : "; ", k + 1, reasons[k]);
  return marks;
}

}  // namespace rankine::cases
