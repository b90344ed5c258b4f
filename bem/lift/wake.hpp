// Wakes: sheets of doublets that start at trailing edges. From each node of the edge a line goes
// downstream. Between the lines of a segment is a strip of quadrilaterals with one doublet strength
// m, the circulation of the section in front of it [MK74]; the lines are its vortices.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "rankine/bem/layers/source_set.hpp"
#include "rankine/bem/lift/relative_stream.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"

namespace rankine::bem {

/// A line through points, which continues along its course behind the last one.
struct WakeLine {
  std::vector<Vec3d> points;
  /// The station of every point, increasing from 0, m: the distance downstream. Lines are joined
  /// by panels at equal stations.
  std::vector<double> stations;
  RelativeStream course;  ///< dx/ds, s the station: a unit vector, or that of a helix

  Vec3d at(double station) const;
};

/// By the node of the body at which a line starts.
using WakeLines = std::map<std::int32_t, WakeLine>;

/// The sides of a panel of a wake, both from the edge downstream. With the normal up and the edge
/// ahead, the first is on the left. Their vortices have the strengths -m and m. Panels may begin
/// with any of their corners.
struct WakeSides {
  std::array<Vec3d, 2> from, to;

  WakeSides(const Panels& panels, std::size_t panel);
};

/// Stations at which panels end: the first panel is `first` long, and each one longer than the one
/// before by a constant factor at most, and no longer than `most`. The last station is `length`.
std::vector<double> wake_stations(double first, double length, double most);

/// The panels of a body followed by those of its wakes, from the edge downstream. Sheet unknown s
/// belongs to segment s; its normal points to the upper side. Behind the points of the lines panels
/// end at `stations` from there.
SourceSet with_wakes(const Panels& body, std::span<const EdgeSegment> edges, const WakeLines& lines,
                     std::span<const double> stations);

}  // namespace rankine::bem
