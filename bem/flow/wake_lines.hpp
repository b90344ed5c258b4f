// The vortices along the lines of wakes, in pieces between stations. Velocities are known half-way
// between lines, on the strips of panels; at a line they are interpolated linearly.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "rankine/bem/lift/lifting_edges.hpp"

namespace rankine::bem {

/// The number of points of a line on a body: its start, and those along which it continues there.
std::size_t points_on_body(const LiftingEdges& lift, std::int32_t node);

/// `node` and the nodes of all lines that leave a body at the same point as the line of `node`.
/// Behind that point these lines are one vortex.
std::vector<std::int32_t> lines_together(const LiftingEdges& lift, std::int32_t node);

/// The circulation about each line, m^2/s, without that of other lines at the same place. `sheets`:
/// strengths of the wakes.
std::map<std::int32_t, double> line_circulations(const LiftingEdges& lift,
                                                 std::span<const double> sheets);

/// A wake panel beside a line.
struct PanelBeside {
  std::size_t panel;
  double weight;  ///< of its velocity in the linear interpolation at the line
  double mean;    ///< in the mean of both sides, which conserves the momentum of the vortices
};

struct LinePiece {
  std::int32_t node;  ///< at which the line starts
  std::size_t row;    ///< index of the piece in its line
  Vec3d from, to;
  std::vector<PanelBeside> beside{};
};

/// All pieces, line by line downstream, without those along bodies.
std::vector<LinePiece> line_pieces(const LiftingEdges& lift);

/// For every wake panel, whether its sides, in the order of WakeSides, lie along a body.
std::vector<std::array<bool, 2>> sides_on_bodies(const LiftingEdges& lift);

}  // namespace rankine::bem
