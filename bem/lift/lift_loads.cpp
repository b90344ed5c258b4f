#include "rankine/bem/lift/lift_loads.hpp"

#include <numbers>
#include <utility>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

Vec3d across(const Vec3d& x, const Vec3d& direction) { return x - dot(x, direction) * direction; }

/// The trace of the wakes in the Trefftz plane.
class TrefftzPlane {
 public:
  /// A segment of the trace. The trailing vortex at `to` has the strength m, that at `from` -m.
  struct Trace {
    Vec3d from, to, point, normal;
    std::size_t segment;  ///< its index
  };

  TrefftzPlane(const Panels& body, const LiftingEdges& edges);

  /// One per segment, in their order; then those between a body and wakes that continue along it.
  const std::vector<Trace>& traces() const { return traces_; }
  /// w.n at the point of `at`, induced by `of` with m = 1 and its images, 1/m.
  double normal_velocity(const Trace& at, const Trace& of) const;

 private:
  meshes::Symmetry symmetry_;
  Vec3d direction_;
  std::vector<Trace> traces_;
};

TrefftzPlane::TrefftzPlane(const Panels& body, const LiftingEdges& edges)
    : symmetry_(body.symmetry), direction_(edges.direction) {
  const Vec3d& e = direction_;
  for (std::size_t s = 0; s < edges.segments.size(); ++s) {
    const EdgeSegment& edge = edges.segments[s];
    const auto [left, right] = edges.sides(s);
    const Vec3d a = across(corner_at(body, edge.upper, left), e),
                b = across(corner_at(body, edge.upper, right), e),
                normal = across(edges.sources.normal[s], e);
    traces_.push_back({a, b, across(edges.sources.point[s], e), normal / norm(normal), s});
  }
  for (std::size_t s = 0; s < edges.segments.size(); ++s) {
    for (const std::int32_t node : {edges.segments[s].first, edges.segments[s].second}) {
      const auto line = edges.lines.find(node);
      if (line == edges.lines.end()) continue;
      // From the point where the wake leaves the body.
      constexpr int pieces = 8;
      const Vec3d root = across(line->second.front(), e),
                  step = (across(line->second.back(), e) - root) / pieces;
      if (!(norm(step) > 0.0)) continue;
      const bool is_first = root == traces_[s].from;
      Vec3d up = cross(e, step);
      up = (is_first ? -1.0 : 1.0) / norm(up) * up;
      for (int k = 0; k < pieces; ++k) {
        const Vec3d from = root + k * step, to = from + step;
        traces_.push_back({is_first ? to : from, is_first ? from : to, 0.5 * (from + to), up, s});
      }
    }
  }
}

double TrefftzPlane::normal_velocity(const Trace& at, const Trace& of) const {
  // Two-dimensional vortices along e of the strength g: w = g e x r / (2 pi r^2).
  double velocity = 0.0;
  for (int image = 0; image < symmetry_.images(); ++image) {
    const Vec3d mirrored = symmetry_.point(symmetry_.inverse(image), at.point);
    Vec3d here{};
    const auto add = [&](const Vec3d& y, double g) {
      const Vec3d r = across(mirrored - y, direction_);
      here += g / (2.0 * std::numbers::pi * dot(r, r)) * cross(direction_, r);
    };
    add(of.to, 1.0);
    add(of.from, -1.0);
    velocity += symmetry_.sign(image) * dot(symmetry_.vector(image, here), at.normal);
  }
  return velocity;
}

}  // namespace

Vec3d trefftz_force(const LiftingEdges& edges, std::span<const double> circulation,
                    const Vec3d& stream, double density) {
  Vec3d force{};
  for (std::size_t s = 0; s < edges.segments.size(); ++s) {
    const auto [left, right] = edges.sides(s);
    const Vec3d &from = edges.wakes.at(left).points.back(),
                &to = edges.wakes.at(right).points.back();
    force += density * circulation[s] * cross(stream, to - from);
  }
  return force;
}

double induced_drag(const Panels& body, const LiftingEdges& edges,
                    std::span<const double> circulation, double density) {
  const TrefftzPlane plane(body, edges);
  const auto add_drag = [&](std::size_t k, double& drag) {
    const auto& at = plane.traces()[k];
    double velocity = 0.0;
    for (const auto& of : plane.traces())
      velocity += circulation[of.segment] * plane.normal_velocity(at, of);
    drag -= 0.5 * density * circulation[at.segment] * velocity * norm(at.to - at.from);
  };
  constexpr std::size_t of_thread = 16;
  return parallel_reduce(plane.traces().size(), 0.0, add_drag, JoinValues{}, of_thread);
}

TrefftzLoads trefftz_loads(const Panels& body, const LiftingEdges& edges,
                           std::span<const double> circulation, const Vec3d& stream,
                           double density) {
  return {trefftz_force(edges, circulation, stream, density),
          induced_drag(body, edges, circulation, density)};
}

}  // namespace rankine::bem
