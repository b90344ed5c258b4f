#include "rankine/bem/flow/wake_lines.hpp"

#include <algorithm>
#include <iterator>

namespace rankine::bem {
namespace {

/// A strip of wake panels beside a line.
struct LineStrip {
  std::size_t sheet, first, end;  ///< its panels, from `first` to before `end`
  std::size_t side;               ///< of the strip on which the line is
  std::vector<double> stations;   ///< between its panels, up to the last points of its lines

  /// The panels from one station to another; `beyond` counts those behind the last points.
  std::pair<std::size_t, std::size_t> between(double from, double to) const {
    const double rounding = 1e-9 * (to - from);
    const auto at = [&](double station) {
      return first + static_cast<std::size_t>(
                         std::lower_bound(stations.begin(), stations.end(), station - rounding) -
                         stations.begin());
    };
    return {at(from), at(to)};
  }
  std::size_t beyond(std::size_t k) const { return first + stations.size() - 1 + k; }
};

std::vector<LineStrip> strips_of(const LiftingEdges& lift) {
  const SourceSet& sources = lift.sources;
  std::vector<LineStrip> strips;
  for (std::size_t j = 0; j < sources.of_sheet.size(); ++j) {
    const std::size_t panel = sources.boundary + j;
    const auto s = static_cast<std::size_t>(sources.of_sheet[j]);
    if (strips.empty() || strips.back().sheet != s) {
      const std::vector<double>&a = lift.wakes.at(lift.segments[s].first).stations,
            &b = lift.wakes.at(lift.segments[s].second).stations;
      LineStrip& strip = strips.emplace_back(s, panel, panel, 0, std::vector<double>{});
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(strip.stations));
    }
    strips.back().end = panel + 1;
  }
  return strips;
}

/// Adds a panel with the weight of its velocity at the line: in linear interpolation the inverse of
/// the distance between them.
void add_beside(const LiftingEdges& lift, const LineStrip& strip, std::size_t panel,
                LinePiece& piece) {
  const WakeSides sides(lift.sources.panels, panel);
  const Vec3d middle = 0.5 * (sides.from[strip.side] + sides.to[strip.side]),
              other = 0.5 * (sides.from[1 - strip.side] + sides.to[1 - strip.side]);
  const double share = lift.share(strip.sheet),
               distance = (strip.side == 0 ? share : 1.0 - share) * norm(other - middle),
               length = norm(sides.to[strip.side] - sides.from[strip.side]);
  piece.beside.push_back({panel, length / distance, length});
}

void normalize(LinePiece& piece) {
  double weights = 0.0, means = 0.0;
  for (const PanelBeside& each : piece.beside) {
    weights += each.weight;
    means += each.mean;
  }
  for (PanelBeside& each : piece.beside) {
    each.weight /= weights;
    each.mean /= means;
  }
}

}  // namespace

std::size_t points_on_body(const LiftingEdges& lift, std::int32_t node) {
  const auto line = lift.lines.find(node);
  return line == lift.lines.end() ? 1 : line->second.size();
}

std::vector<std::int32_t> lines_together(const LiftingEdges& lift, std::int32_t node) {
  std::vector<std::int32_t> together{node};
  const auto line = lift.lines.find(node);
  if (line == lift.lines.end()) return together;
  constexpr double rounding = 1e-6;
  for (const auto& [other, points] : lift.lines) {
    if (other != node && norm(points.back() - line->second.back()) < rounding * lift.extent)
      together.push_back(other);
  }
  return together;
}

std::map<std::int32_t, double> line_circulations(const LiftingEdges& lift,
                                                 std::span<const double> sheets) {
  std::map<std::int32_t, double> circulation;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const auto [left, right] = lift.sides(s);
    circulation[left] -= sheets[s];
    circulation[right] += sheets[s];
  }
  return circulation;
}

std::vector<LinePiece> line_pieces(const LiftingEdges& lift) {
  std::map<std::int32_t, std::vector<LineStrip>> own;
  for (LineStrip& strip : strips_of(lift)) {
    const auto nodes = lift.sides(strip.sheet);
    for (strip.side = 0; strip.side < 2; ++strip.side) own[nodes[strip.side]].push_back(strip);
  }
  std::vector<LinePiece> pieces;
  for (const auto& [node, line] : lift.wakes) {
    std::vector<LineStrip> strips;
    for (const std::int32_t each : lines_together(lift, node))
      strips.insert(strips.end(), own.at(each).begin(), own.at(each).end());
    for (std::size_t k = points_on_body(lift, node) - 1; k + 1 < line.points.size(); ++k) {
      LinePiece& piece = pieces.emplace_back(node, k, line.points[k], line.points[k + 1]);
      for (const LineStrip& strip : strips) {
        const auto [first, end] = strip.between(line.stations[k], line.stations[k + 1]);
        for (std::size_t panel = first; panel < end; ++panel) add_beside(lift, strip, panel, piece);
      }
      normalize(piece);
    }
    for (std::size_t k = 0; strips.front().beyond(k) < strips.front().end; ++k) {
      const std::size_t panel = strips.front().beyond(k);
      const WakeSides sides(lift.sources.panels, panel);
      LinePiece& piece =
          pieces.emplace_back(node, line.points.size() - 1 + k, sides.from[strips.front().side],
                              sides.to[strips.front().side]);
      for (const LineStrip& strip : strips) add_beside(lift, strip, strip.beyond(k), piece);
      normalize(piece);
    }
  }
  return pieces;
}

std::vector<std::array<bool, 2>> sides_on_bodies(const LiftingEdges& lift) {
  std::vector<std::array<bool, 2>> found(lift.sources.of_sheet.size(), {false, false});
  for (const LineStrip& strip : strips_of(lift)) {
    const auto nodes = lift.sides(strip.sheet);
    for (std::size_t side = 0; side < 2; ++side) {
      if (!lift.lines.contains(nodes[side])) continue;
      const std::vector<double>& stations = lift.wakes.at(nodes[side]).stations;
      const std::size_t end =
          strip.between(stations.front(), stations[points_on_body(lift, nodes[side]) - 1]).second;
      for (std::size_t j = strip.first; j < end; ++j) found[j - lift.sources.boundary][side] = true;
    }
  }
  return found;
}

}  // namespace rankine::bem
