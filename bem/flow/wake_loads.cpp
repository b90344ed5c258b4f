#include "rankine/bem/flow/wake_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {
namespace {

struct WakeStation {
  double distance, weight;  ///< from the edge, m
};

/// Gauss points on intervals that grow from `first` to the end.
std::vector<WakeStation> stations_behind(double first, double length) {
  constexpr double growth = 1.4, offset = 0.28867513459481287;  // two points: 1/sqrt(12)
  std::vector<WakeStation> along_wake;
  double from = 0.0;
  for (double width = first; from < length; width *= growth) {
    for (const double at : {0.5 - offset, 0.5 + offset})
      along_wake.push_back({from + at * width, 0.5 * width});
    from += width;
  }
  return along_wake;
}

/// A strip's ends: the direction across it, out of the strip, and its share in the vortex there.
struct StripEnd {
  Vec3d across;
  double vortex;  ///< jump of m towards the other side, m^2/s
};

}  // namespace

WakeLoad wake_load(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const Panels& body = problem.panels;
  const Vec3d& e = lift.direction;
  std::map<std::int32_t, std::vector<std::size_t>> at_node;
  double width = 0.0;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const EdgeSegment& edge = lift.segments[s];
    for (const std::int32_t node : {edge.first, edge.second}) at_node[node].push_back(s);
    width +=
        norm(corner_at(body, edge.upper, edge.second) - corner_at(body, edge.upper, edge.first)) /
        static_cast<double>(lift.segments.size());
  }
  std::vector<std::array<StripEnd, 2>> ends;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const EdgeSegment& edge = lift.segments[s];
    auto& mine = ends.emplace_back();
    for (std::size_t k = 0; k < 2; ++k) {
      const std::int32_t node = k == 0 ? edge.first : edge.second;
      const Vec3d x = corner_at(body, edge.upper, node);
      const Vec3d out = x - lift.sources.point[s], across = out - dot(out, e) * e;
      mine[k].across = across / norm(across);
      bool mirrored = false;  // the image has the same strength
      for (const meshes::SymmetryPlane& plane : body.symmetry.planes())
        mirrored = mirrored || (plane.sign > 0.0 && plane.holds(x));
      const std::vector<std::size_t>& beside = at_node[node];
      if (mirrored) continue;
      if (beside.size() == 1) mine[k].vortex = -solution.sheets[s];
      for (const std::size_t other : beside) {
        if (other == s) continue;
        mine[k].vortex += 0.5 * (solution.sheets[other] - solution.sheets[s]);
      }
    }
  }
  const double extent = lift.length / 30.0;
  const std::vector<WakeStation> along_wake = stations_behind(0.25 * width, 3.0 * extent);
  // Velocities of the two sides, so close to the sheet that its vortices are far away.
  constexpr double height = 1e-3;
  std::vector<Vec3d> points;
  for (std::size_t s = 0; s < ends.size(); ++s) {
    for (const WakeStation& at : along_wake) {
      const Vec3d x = lift.sources.point[s] + at.distance * e;
      for (const double side : {1.0, -1.0})
        points.push_back(x + side * height * width * lift.sources.normal[s]);
    }
  }
  const Field field = evaluate_field(problem, solution, points, options, backend);
  WakeLoad load{};
  for (std::size_t s = 0; s < ends.size(); ++s) {
    if (lift.lines.contains(lift.segments[s].first) || lift.lines.contains(lift.segments[s].second))
      continue;
    double sum = 0.0;
    for (std::size_t k = 0; k < along_wake.size(); ++k) {
      const std::size_t above = 2 * (s * along_wake.size() + k);
      if (field.inside[above] != 0 || field.inside[above + 1] != 0) {
        load.in_body = points[above];
        continue;
      }
      const Vec3d u = 0.5 * (field.velocity[above] + field.velocity[above + 1]);
      for (const StripEnd& end : ends[s])
        sum += along_wake[k].weight * end.vortex * dot(u, end.across);
    }
    load.force += problem.density * sum * lift.sources.normal[s];
  }
  return load;
}

namespace {

/// The pressure at a place by a plane through the points of the panels around, in the coordinates
/// `inwards` and `along` from there.
double pressure_at(const PanelNeighbourhood& around, const Solution& solution, std::int32_t panel,
                   const Vec3d& place, const Vec3d& inwards, const Vec3d& along) {
  PanelNeighbourhood::Ring ring;
  around.collect(panel, 1, ring);
  ring.panels.push_back(panel);
  std::array<Vec3d, 3> rows{};
  Vec3d right{};
  double sum = 0.0;
  const double size = norm(around.centroid(panel) - around.centroid(ring.panels.front()));
  for (const std::int32_t each : ring.panels) {
    const Vec3d from = around.centroid(each) - place;
    const Vec3d basis{1.0, dot(from, inwards) / size, dot(from, along) / size};
    const double p = solution.pressure[static_cast<std::size_t>(around.origin(each))];
    for (int i = 0; i < 3; ++i) rows[static_cast<std::size_t>(i)] += basis[i] * basis;
    right += p * basis;
    sum += p;
  }
  const Vec3d normal = cross(rows[1], rows[2]);
  const double determinant = dot(rows[0], normal);
  const auto count = static_cast<double>(ring.panels.size());
  if (!(std::abs(determinant) > 1e-6 * count * norm(normal))) return sum / count;
  return dot(right, normal) / determinant;  // Cramer's rule; the matrix is symmetric
}

}  // namespace

std::vector<double> pressure_jumps(const FlowProblem& problem, const Solution& solution,
                                   double depth) {
  const Panels& body = problem.panels;
  const PanelNeighbourhood around(body);
  std::vector<double> jumps;
  std::vector<std::int32_t> beside;
  for (const EdgeSegment& edge : problem.lift->segments) {
    const Vec3d a = corner_at(body, edge.upper, edge.first),
                b = corner_at(body, edge.upper, edge.second);
    const Vec3d along = (b - a) / norm(b - a);
    double jump = 0.0;
    for (const double side : {1.0, -1.0}) {
      std::int32_t panel = side > 0.0 ? edge.upper : edge.lower;
      const Vec3d start = 0.5 * (a + b) + (side > 0.0 ? Vec3d{} : edge.base);
      Vec3d inwards = around.centroid(panel) - start;
      inwards = inwards - dot(inwards, along) * along;
      const double deep = std::max(depth, norm(inwards));
      inwards = inwards / norm(inwards);
      const Vec3d place = start + deep * inwards;
      // To the panel that is closest to the place, from neighbour to neighbour.
      for (bool closer = true; closer;) {
        closer = false;
        around.collect_beside(panel, beside);
        for (const std::int32_t next : beside) {
          if (around.image(next) != 0 ||
              norm(around.centroid(next) - place) >= norm(around.centroid(panel) - place))
            continue;
          panel = next;
          closer = true;
        }
      }
      jump += side * pressure_at(around, solution, panel, place, inwards, along);
    }
    jumps.push_back(jump);
  }
  return jumps;
}

}  // namespace rankine::bem
