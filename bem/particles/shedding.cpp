#include "rankine/bem/particles/shedding.hpp"

#include <string>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

void check(double length, const std::string& what) {
  if (length > 0.0) return;
  throw InputError(what + " of vortices that a wall sheds is " + std::to_string(length) +
                   "; give a length above 0, about the size of panels, m");
}

}  // namespace

ShedVortices shed(const Panels& panels, std::span<const Vec3d> slip, const SheddingOptions& options,
                  const Vec3d& total) {
  check(options.distance, "the distance from the wall");
  check(options.core_radius, "the core radius");
  const std::size_t n = panels.size();
  ShedVortices made{
      {std::vector<Vec3d>(n), std::vector<Vec3d>(n), std::vector<double>(n, options.core_radius)}};
  Vec3d sum{};
  double sizes = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    made.particles.positions[i] = panels.centroid[i] + options.distance * panels.normal[i];
    made.particles.strengths[i] = panels.area[i] * cross(panels.normal[i], slip[i]);
    sum += made.particles.strengths[i];
    sizes += norm(made.particles.strengths[i]);
  }
  const Vec3d missing = (total - sum) / total_area(panels);
  for (std::size_t i = 0; i < n; ++i) made.particles.strengths[i] += panels.area[i] * missing;
  if (sizes > 0.0) made.correction = norm(total - sum) / sizes;
  return made;
}

std::size_t lift(const Panels& panels, double distance, std::vector<Vec3d>& positions) {
  const ClosestPoints search(
      panels, std::vector<double>(panels.size(), fitted::deepest_particle * distance));
  std::size_t lifted = 0;
  const std::vector<ClosestPoint> closest = search.of(positions);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const ClosestPoint& wall = closest[i];
    if (wall.panel < 0 || (wall.outside && wall.distance >= distance)) continue;
    positions[i] = wall.foot + distance * wall.direction;
    ++lifted;
  }
  return lifted;
}

}  // namespace rankine::bem
