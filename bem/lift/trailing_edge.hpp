// Trailing edges on panels: the edges from which wakes start, segment by segment. A blunt trailing
// edge is a thin strip of panels that faces downstream, its base. The wake starts at the upper side
// of the base, and the Kutta condition is that of a sharp edge between the panels above and below.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rankine/bem/lift/relative_stream.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// An edge between two panels of a body. The jump of the potential across its wake is from the
/// lower to the upper side.
struct EdgeSegment {
  std::int32_t first, second;  ///< mesh nodes
  std::int32_t upper, lower;   ///< panels
  double angle;                ///< of the body between the panels, radians
  Vec3d outward;               ///< from the body, normal to the edge, unit vector
  Vec3d base{};                ///< of a blunt edge: from the edge of the upper panel to that of the
                               ///< lower one, m
};

/// Position of a corner of a panel, given by its mesh node.
inline Vec3d corner_at(const Panels& panels, std::int32_t panel, std::int32_t node) {
  const auto j = static_cast<std::size_t>(panel);
  int k = 0;
  while (panels.nodes[j][static_cast<std::size_t>(k)] != node) ++k;
  return panels.shape[j].corner[k];
}

/// The larger depth of the two panels at an edge over the smaller one.
double depth_ratio(const Panels& panels, const EdgeSegment& edge);

/// Whether a sharp edge of a body has a wake, and if not, why.
enum class EdgeVerdict {
  sheds,
  lower_corner,  ///< of a base whose upper corner is a trailing edge
  not_left,      ///< the stream does not leave the body at this edge
  blunt,         ///< its angle is above 60 degrees, or 120 if it is named
  thick_base,    ///< a corner of a base that is too thick for its length
  base_end,      ///< the short side of a base
  not_named
};

/// A convex edge at which the surface turns by more than 45 degrees, or a named one.
struct SharpEdge {
  std::int32_t first, second;  ///< mesh nodes
  EdgeVerdict verdict;
  bool named;
  double angle;        ///< of the body between the panels, radians
  double depth_ratio;  ///< of these panels
  Vec3d middle;
};

struct TrailingEdges {
  std::vector<EdgeSegment> segments;
  std::vector<SharpEdge> edges;    ///< with or without a wake
  std::vector<std::int32_t> base;  ///< panels of blunt edges with a wake
};

/// Whether the user names an edge. For a blunt edge `first` and `second` are on the upper side.
using EdgeNames = std::function<bool(const EdgeSegment&)>;

/// The trailing edges for a stream. Sharp edges are convex, with an angle of at most 60 degrees and
/// an outward bisector within 60 degrees of the stream. Blunt edges are strips of connected panels
/// whose normals are within 60 degrees of the stream, between corners of at least 45 degrees, and
/// twenty times longer than thick. Sharp edges that continue one of these may be up to 84 degrees
/// from the stream, as near blade tips of vanishing chord. The upper panel is the one whose normal
/// has the larger z component, at vertical edges the larger y component; on rotors the one that
/// faces upstream, so that the circulation of a propeller is positive. With `names` only named
/// edges are used; sharp ones may have angles up to 120 degrees and be up to 75 degrees from the
/// stream.
TrailingEdges find_trailing_edges(const Panels& panels, const RelativeStream& stream,
                                  const EdgeNames& names = {});
inline TrailingEdges find_trailing_edges(const Panels& panels, const Vec3d& stream,
                                         const EdgeNames& names = {}) {
  return find_trailing_edges(panels, RelativeStream(stream), names);
}

inline std::vector<EdgeSegment> trailing_edges(const Panels& panels, const Vec3d& stream) {
  return find_trailing_edges(panels, stream).segments;
}

/// The same edge on a body with moved nodes. `base`: from its upper panel to the lower one, m.
EdgeSegment moved_edge(const Panels& panels, const EdgeSegment& edge, const Vec3d& base);

}  // namespace rankine::bem
