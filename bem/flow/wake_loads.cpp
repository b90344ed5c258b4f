#include "rankine/bem/flow/wake_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <set>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/flow/wake_lines.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

namespace {

QuadratureOptions off_surface_quadrature(const FlowProblem& problem, const FieldOptions& options) {
  QuadratureOptions quadrature = options.quadrature;
  if (quadrature.tolerance == 0.0) quadrature.tolerance = field_quadrature(problem.panels);
  return quadrature;
}

/// The midpoint of the diagonal.
Vec3d middle_of(const PanelShape<double>& shape) {
  return 0.5 * (shape.corner[0] + shape.corner[2]);
}

/// The vortices that have cores: all beside these panels, but those along bodies. The jump of the
/// potential on the body cancels their velocity.
std::vector<VortexSegment> vortices_with_cores(const LiftingEdges& lift, const Solution& solution,
                                               std::span<const std::size_t> panels) {
  const std::vector<std::array<bool, 2>> on_bodies = sides_on_bodies(lift);
  std::vector<VortexSegment> vortices;
  for (const std::size_t j : panels) {
    const double m = solution.doublet[j];
    const WakeSides sides(lift.sources.panels, j);
    for (std::size_t side = 0; side < 2; ++side) {
      if (!on_bodies[j - lift.sources.boundary][side])
        vortices.push_back({sides.from[side], sides.to[side], side == 0 ? -m : m});
    }
  }
  return vortices;
}

/// The reduction of the velocity at a point due to the cores of vortices: at the distance r < d the
/// fraction 1 - r^2/d^2 of their velocity. Images have cores only if the wake continues in them:
/// above the ground panels may be longer than the distance to their images, which do not roll up
/// with them. `met`: the planes on which wakes leave bodies.
Vec3d without_cores(const meshes::Symmetry& symmetry, int met,
                    std::span<const VortexSegment> vortices, const Vec3d& point) {
  Vec3d sum{};
  for (int image = 0; image < symmetry.images(); ++image) {
    if ((image & ~met) != 0) continue;
    const Vec3d x = symmetry.point(symmetry.inverse(image), point);
    Vec3d here{};
    for (const VortexSegment& vortex : vortices) {
      const Vec3d along = vortex.to - vortex.from, apart = x - vortex.from;
      const double core = dot(along, along);
      if (dot(apart, apart) > 4.0 * core) continue;  // r > d
      const double r = distance_from(vortex, x), inside = r * r / core;
      if (inside < 1.0) here += (1.0 - inside) * velocity_of(vortex, x);
    }
    sum += symmetry.sign(image) * symmetry.vector(image, here);
  }
  return sum;
}

/// The panels of wakes up to three extents of the body downstream.
std::vector<std::size_t> panels_near_body(const LiftingEdges& lift) {
  const SourceSet& sources = lift.sources;
  std::vector<std::size_t> panels;
  for (std::size_t j = sources.boundary; j < sources.panels.size(); ++j) {
    const auto s = static_cast<std::size_t>(sources.of_sheet[j - sources.boundary]);
    const Vec3d from_edge = middle_of(sources.panels.shape[j]) - sources.point[s];
    if (dot(from_edge, lift.direction) <= 3.0 * lift.extent) panels.push_back(j);
  }
  return panels;
}

/// Half-way between the vortices beside a panel.
Vec3d point_on_wake(const LiftingEdges& lift, std::size_t panel) {
  const WakeSides sides(lift.sources.panels, panel);
  const double share =
      lift.share(static_cast<std::size_t>(lift.sources.of_sheet[panel - lift.sources.boundary]));
  return 0.5 *
         ((1.0 - share) * (sides.from[0] + sides.to[0]) + share * (sides.from[1] + sides.to[1]));
}

WakeFlow flow_at(const FlowProblem& problem, const Solution& solution,
                 std::vector<std::size_t> panels, bool cores, const FieldOptions& options,
                 Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const SourceSet& sources = lift.sources;
  // Evaluated off the sheet, on both sides, since quadrature nodes may be at the midpoint. In the
  // mean of both sides the strip itself contributes nothing.
  constexpr double height = 1e-3;
  WakeFlow flow{.panels = std::move(panels), .points = {}, .velocity = {}, .in_body = {}};
  std::vector<Vec3d> points;
  for (const std::size_t j : flow.panels) {
    const WakeSides sides(sources.panels, j);
    flow.points.push_back(point_on_wake(lift, j));
    const double width = norm(sides.from[1] - sides.from[0]);
    for (const double side : {1.0, -1.0})
      points.push_back(flow.points.back() + side * height * width * sources.panels.normal[j]);
  }
  // The field of bem/flow/field.hpp is not used: it is interpolated near walls, for wakes near
  // their edge.
  OffSurfaceOperator sums(backend, sources.panels, points, options.fmm,
                          off_surface_quadrature(problem, options));
  const std::vector<Vec3d> gradient = sums.evaluate({solution.charge, solution.doublet}).gradient;
  std::vector<std::uint8_t> encloses_nothing(sources.panels.size(), 1);
  std::fill_n(encloses_nothing.begin(), sources.boundary, std::uint8_t{0});
  const std::vector<double> winding = sums.winding(points, encloses_nothing);
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  const RelativeStream stream = relative_stream(problem);
  const std::vector<VortexSegment> vortices =
      cores ? vortices_with_cores(lift, solution, flow.panels) : std::vector<VortexSegment>{};
  const meshes::Symmetry& symmetry = problem.panels.symmetry;
  int met = 0;
  for (const auto& [node, line] : lift.wakes)
    met |= symmetry.planes_at(line.points[points_on_body(lift, node) - 1]);
  flow.velocity.resize(flow.points.size());
  parallel_for(flow.points.size(), [&](std::size_t k) {
    flow.velocity[k] = stream.at(flow.points[k]) + onset.velocity(flow.points[k]);
    for (const std::size_t i : {2 * k, 2 * k + 1}) {
      if (winding[i] > -0.5)
        flow.velocity[k] += 0.5 * (gradient[i] - without_cores(symmetry, met, vortices, points[i]));
    }
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (winding[i] < -0.5) flow.in_body = points[i];
  }
  return flow;
}

}  // namespace

WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend) {
  return flow_at(problem, solution, panels_near_body(*problem.lift), true, options, backend);
}

WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   std::vector<std::size_t> panels, const FieldOptions& options, Backend& backend) {
  return flow_at(problem, solution, std::move(panels), false, options, backend);
}

namespace {

/// The load rho int u x Gamma dl along the points of lines, and behind them, in N. Pieces without
/// velocities on both sides are excluded, and lines on walls, since images have the same strength.
struct LineLoad {
  Vec3d on_lines{}, on_straight{};
};

LineLoad load_on(const FlowProblem& problem, std::span<const double> sheets,
                 std::span<const std::size_t> panels, std::span<const Vec3d> velocity) {
  const LiftingEdges& lift = *problem.lift;
  std::map<std::size_t, Vec3d> at_panel;
  for (std::size_t k = 0; k < panels.size(); ++k) at_panel[panels[k]] = velocity[k];
  const std::map<std::int32_t, double> circulation = line_circulations(lift, sheets);
  LineLoad load;
  for (const LinePiece& piece : line_pieces(lift)) {
    const WakeLine& line = lift.wakes.at(piece.node);
    const Vec3d start = line.points[points_on_body(lift, piece.node) - 1];
    bool counts = true;
    for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes())
      counts = counts && !(plane.sign > 0.0 && plane.holds(start));
    Vec3d u{};
    for (const PanelBeside& each : piece.beside) {
      const auto found = at_panel.find(each.panel);
      counts = counts && found != at_panel.end();
      if (counts) u += each.mean * found->second;
    }
    if (!counts) continue;
    Vec3d& sum = piece.row + 1 < line.points.size() ? load.on_lines : load.on_straight;
    sum += problem.density * circulation.at(piece.node) * cross(u, piece.to - piece.from);
  }
  return load;
}

}  // namespace

WakeLoad wake_load(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend) {
  const WakeFlow flow = wake_flow(problem, solution, options, backend);
  const LineLoad load = load_on(problem, solution.sheets, flow.panels, flow.velocity);
  return {load.on_lines + load.on_straight, flow.in_body};
}

namespace {

/// The velocity that images in a plane induce. With the other sign of the plane the field of its
/// images has the opposite sign; nothing else changes.
std::vector<Vec3d> image_velocity(OffSurfaceOperator& sums, const BoundaryFields& flow,
                                  const meshes::Symmetry& symmetry,
                                  const meshes::SymmetryPlane& plane) {
  std::vector<Vec3d> velocity = sums.evaluate({flow.charge, flow.doublet}).gradient;
  const std::vector<Vec3d> opposite =
      sums.evaluate(symmetry.with_sign(plane.axis, -plane.sign)).gradient;
  std::transform(velocity.begin(), velocity.end(), opposite.begin(), velocity.begin(),
                 [](const Vec3d& a, const Vec3d& b) { return 0.5 * (a - b); });
  return velocity;
}

}  // namespace

ImageLoad image_load(const FlowProblem& problem, const Solution& solution,
                     const meshes::SymmetryPlane& plane, const FieldOptions& options,
                     Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const Panels& body = problem.panels;
  const std::vector<std::size_t> wake = panels_near_body(lift);
  std::vector<Vec3d> points(body.centroid.begin(), body.centroid.end());
  for (const std::size_t j : wake) points.push_back(point_on_wake(lift, j));
  OffSurfaceOperator sums(backend, lift.sources.panels, points, options.fmm,
                          off_surface_quadrature(problem, options));
  const std::vector<Vec3d> velocity = image_velocity(sums, solution, body.symmetry, plane);
  ImageLoad load{};
  const LineLoad on_wake =
      load_on(problem, solution.sheets, wake, std::span(velocity).subspan(body.size()));
  load.on_lines = on_wake.on_lines;
  load.on_straight = on_wake.on_straight;
  for (std::size_t i = 0; i < body.size(); ++i)
    load.on_body += problem.density * body.area[i] *
                    cross(velocity[i], cross(body.normal[i], solution.velocity[i]));
  return load;
}

std::vector<meshes::SymmetryPlane> planes_beside(const meshes::Symmetry& symmetry) {
  std::vector<meshes::SymmetryPlane> beside;
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
    if (plane.axis != 1 || plane.sign < 0.0) beside.push_back(plane);
  }
  return beside;
}

ImageLoadOnLines::ImageLoadOnLines(const FlowProblem& problem, const FieldOptions& options,
                                   Backend& backend)
    : problem_(problem), planes_(planes_beside(problem.panels.symmetry)) {
  if (planes_.empty()) return;
  std::set<std::size_t> along;
  for (const LinePiece& piece : line_pieces(*problem.lift)) {
    if (piece.row + 1 >= problem.lift->wakes.at(piece.node).points.size()) continue;
    for (const PanelBeside& each : piece.beside) along.insert(each.panel);
  }
  panels_.assign(along.begin(), along.end());
  std::vector<Vec3d> points;
  for (const std::size_t j : panels_) points.push_back(point_on_wake(*problem.lift, j));
  if (!panels_.empty())
    sums_.emplace(backend, problem.lift->sources.panels, points, options.fmm,
                  off_surface_quadrature(problem, options));
}

std::vector<Vec3d> ImageLoadOnLines::velocity(const BoundaryFields& flow) {
  std::vector<Vec3d> sum(panels_.size());
  for (const meshes::SymmetryPlane& plane : planes_) {
    const std::vector<Vec3d> mine = image_velocity(*sums_, flow, problem_.panels.symmetry, plane);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += mine[k];
  }
  return sum;
}

Vec3d ImageLoadOnLines::force(std::span<const Vec3d> velocity,
                              std::span<const double> sheets) const {
  return load_on(problem_, sheets, panels_, velocity).on_lines;
}

namespace {

/// The pressure at a point, from a linear fit to the neighbouring panels in the coordinates
/// `inwards` and `along` relative to that point.
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

/// Vectors from the middle of a segment to the centroids of the panel above and the panel below,
/// normal to the edge.
std::array<Vec3d, 2> inwards_from(const Panels& body, const EdgeSegment& edge) {
  const Vec3d a = corner_at(body, edge.upper, edge.first),
              b = corner_at(body, edge.upper, edge.second), along = (b - a) / norm(b - a),
              middle = 0.5 * (a + b);
  std::array<Vec3d, 2> inwards{
      body.centroid[static_cast<std::size_t>(edge.upper)] - middle,
      body.centroid[static_cast<std::size_t>(edge.lower)] - middle - edge.base};
  for (Vec3d& each : inwards) each = each - dot(each, along) * along;
  return inwards;
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
    const std::array<Vec3d, 2> to_panels = inwards_from(body, edge);
    const double deep = std::max({depth, norm(to_panels[0]), norm(to_panels[1])});
    double jump = 0.0;
    for (const double side : {1.0, -1.0}) {
      std::int32_t panel = side > 0.0 ? edge.upper : edge.lower;
      const Vec3d start = 0.5 * (a + b) + (side > 0.0 ? Vec3d{} : edge.base);
      const Vec3d inwards = normalized(to_panels[side > 0.0 ? 0 : 1]);
      const Vec3d place = start + deep * inwards;
      // Walk from neighbour to neighbour to the panel closest to the point.
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

std::vector<double> pressure_step(const FlowProblem& problem, const Solution& solution,
                                  double depth) {
  std::vector<double> step = pressure_jumps(problem, solution, depth);
  for (std::size_t s = 0; s < step.size(); ++s) {
    const EdgeSegment& edge = problem.lift->segments[s];
    const std::array<Vec3d, 2> to_panels = inwards_from(problem.panels, edge);
    const Vec3d velocity = 0.5 * (solution.velocity[static_cast<std::size_t>(edge.upper)] +
                                  solution.velocity[static_cast<std::size_t>(edge.lower)]);
    const double exponent = std::numbers::pi / (2.0 * std::numbers::pi - edge.angle),
                 of_panels = 0.5 * (norm(to_panels[0]) + norm(to_panels[1])),
                 deep = std::max({depth, norm(to_panels[0]), norm(to_panels[1])});
    step[s] *= deep * std::pow(of_panels / deep, exponent) /
               (exponent * problem.density * dot(velocity, edge.outward));
  }
  return step;
}

}  // namespace rankine::bem
