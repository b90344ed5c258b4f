#include "rankine/bem/lift/lift_loads.hpp"

#include <numbers>
#include <vector>

namespace rankine::bem {
namespace {

/// A segment of the trace. The vortex along the wake at `to` has the strength m, that at `from` -m.
struct Trace {
  Vec3d from, to, normal;
  double circulation;
};

Vec3d across(const Vec3d& x, const Vec3d& direction) { return x - dot(x, direction) * direction; }

}  // namespace

TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density) {
  const Vec3d& e = edges.direction;
  std::vector<Trace> traces;
  for (std::size_t s = 0; s < edges.segments.size(); ++s) {
    const EdgeSegment& edge = edges.segments[s];
    Vec3d a = across(corner_at(body, edge.upper, edge.first), e),
          b = across(corner_at(body, edge.upper, edge.second), e);
    const Vec3d normal = across(edges.sources.normal[s], e);
    if (dot(cross(e, b - a), normal) < 0.0) std::swap(a, b);
    traces.push_back({a, b, normal / norm(normal), circulation[s]});
  }
  TrefftzLoads loads;
  for (const Trace& at : traces) {
    loads.force += density * at.circulation * cross(stream, at.to - at.from);
    // Two-dimensional vortices along e of the strength g: w = g e x r / (2 pi r^2).
    const Vec3d x = 0.5 * (at.from + at.to);
    Vec3d velocity{};
    for (int image = 0; image < body.symmetry.images(); ++image) {
      const Vec3d mirrored = body.symmetry.point(image, x);
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
