// Wakes: sheets of doublets that start at trailing edges. A line leads downstream from each node of
// the edge. Between the two lines of a segment is a strip of quadrilaterals with one doublet
// strength m, the circulation of the wing section in front of it [MK74]. The lines are the vortices
// of the strip.
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

/// A line through points, which continues along its course after the last one.
struct WakeLine {
  std::vector<Vec3d> points;
  /// The station of every point, increasing from 0, m: the distance downstream. Lines are joined
  /// by panels at equal stations.
  std::vector<double> stations;
  RelativeStream course;  ///< dx/ds for the station s: a unit vector, or the tangent of a helix

  Vec3d at(double station) const;
};

/// Keyed by the node of the body at which a line starts.
using WakeLines = std::map<std::int32_t, WakeLine>;

/// The two sides of a wake panel, in downstream direction. Seen from above (the normal points up)
/// and looking upstream, the first is on the left. Their vortices have the strengths -m and m. The
/// first corner of a panel may be any of the four.
struct WakeSides {
  std::array<Vec3d, 2> from, to;

  WakeSides(const Panels& panels, std::size_t panel);
};

/// Stations at which panels end: the first panel has the length `first`, each following one is
/// longer by at most a constant factor, and none is longer than `most`. The last station is
/// `length`.
std::vector<double> wake_stations(double first, double length, double most);

/// The panels of a body followed by those of its wakes, from the edge downstream. Sheet unknown s
/// belongs to segment s; its normal points to the upper side. After the last points of the lines,
/// panels end at `stations`, measured from there.
SourceSet with_wakes(const Panels& body, std::span<const EdgeSegment> edges, const WakeLines& lines,
                     std::span<const double> stations);

}  // namespace rankine::bem
