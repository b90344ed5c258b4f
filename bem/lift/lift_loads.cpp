#include "rankine/bem/lift/lift_loads.hpp"

#include <numbers>
#include <utility>
#include <vector>

namespace rankine::bem {
namespace {

Vec3d across(const Vec3d& x, const Vec3d& direction) { return x - dot(x, direction) * direction; }

/// A segment of the trace. The vortex along the wake at `to` has the strength m, that at `from` -m.
struct Trace {
  Vec3d from, to, point, normal;
  double circulation;
};

}  // namespace

TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density) {
  const Vec3d& e = edges.direction;
  TrefftzLoads loads;
  std::vector<Trace> traces;
  for (std::size_t s = 0; s < edges.segments.size(); ++s) {
    const EdgeSegment& edge = edges.segments[s];
    const auto [left, right] = edges.sides(s);
    const Vec3d a = across(corner_at(body, edge.upper, left), e),
                b = across(corner_at(body, edge.upper, right), e),
                normal = across(edges.sources.normal[s], e);
    loads.force +=
        density * circulation[s] *
        cross(stream, edges.wakes.at(right).points.back() - edges.wakes.at(left).points.back());
    traces.push_back(
        {a, b, across(edges.sources.point[s], e), normal / norm(normal), circulation[s]});
    for (const std::int32_t node : {edge.first, edge.second}) {
      const auto line = edges.lines.find(node);
      if (line == edges.lines.end()) continue;
      // From where the wake leaves the body.
      constexpr int pieces = 8;
      const Vec3d root = across(line->second.front(), e),
                  step = (across(line->second.back(), e) - root) / pieces;
      if (!(norm(step) > 0.0)) continue;
      const bool is_first = root == a;
      Vec3d up = cross(e, step);
      up = (is_first ? -1.0 : 1.0) / norm(up) * up;
      for (int k = 0; k < pieces; ++k) {
        const Vec3d from = root + k * step, to = from + step;
        traces.push_back(
            {is_first ? to : from, is_first ? from : to, 0.5 * (from + to), up, circulation[s]});
      }
    }
  }
  for (const Trace& at : traces) {
    // Two-dimensional vortices along e of the strength g: w = g e x r / (2 pi r^2).
    Vec3d velocity{};
    for (int image = 0; image < body.symmetry.images(); ++image) {
      const Vec3d mirrored = body.symmetry.point(image, at.point);
      Vec3d here{};
      for (const Trace& of : traces) {
        const auto add = [&](const Vec3d& y, double g) {
          const Vec3d r = across(mirrored - y, e);
          here += g / (2.0 * std::numbers::pi * dot(r, r)) * cross(e, r);
        };
        add(of.to, of.circulation);
        add(of.from, -of.circulation);
      }
      velocity += body.symmetry.sign(image) * body.symmetry.vector(image, here);
    }
    loads.induced_drag -=
        0.5 * density * at.circulation * dot(velocity, at.normal) * norm(at.to - at.from);
  }
  return loads;
}

}  // namespace rankine::bem
