#include "rankine/bem/particles/shedding_wall.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

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

Vec3d sum_of(const std::vector<Vec3d>& vectors) {
  Vec3d sum{};
  for (const Vec3d& each : vectors) sum += each;
  return sum;
}

double root_mean_square(const Panels& panels, const std::vector<Vec3d>& vectors) {
  double sum = 0.0;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    sum += panels.area[i] * dot(vectors[i], vectors[i]);
  return std::sqrt(sum / total_area(panels));
}

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
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

double SheddingWall::closest() const { return fitted::closest_particle * options_.distance; }

VortexParticles SheddingWall::shed_into(VortexParticles particles) {
  const Panels& panels = body_.panels();
  record_.lifted += lift(panels, closest(), particles.positions);
  const Vec3d there = sum_of(particles.strengths);
  if (!total_) total_ = there;
  const std::vector<Vec3d> slip = slip_among(particles);
  record_.slip = root_mean_square(panels, slip);
  if (record_.first_slip == 0.0) record_.first_slip = record_.slip;
  const ShedVortices made = shed(panels, slip, options_, *total_ - there);
  record_.correction = std::max(record_.correction, made.correction);
  append_all(particles.positions, made.particles.positions);
  append_all(particles.strengths, made.particles.strengths);
  append_all(particles.core_radii, made.particles.core_radii);
  if (options_.complete) complete(std::span(particles.strengths).last(slip.size()), particles);
  return particles;
}

std::vector<Vec3d> SheddingWall::slip_among(const VortexParticles& particles) {
  body_.solve(particles);
  return body_.surface_velocity();
}

void SheddingWall::complete(std::span<Vec3d> sheet, VortexParticles& particles) {
  const ShedVortices rest = shed(body_.panels(), slip_among(particles), options_);
  for (std::size_t i = 0; i < sheet.size(); ++i) sheet[i] += rest.particles.strengths[i];
  record_.slip_left = root_mean_square(body_.panels(), slip_among(particles));
}

WallSearch SheddingWall::search(double reach) const {
  const auto panels = std::make_shared<const ClosestPoints>(
      body_.panels(), std::vector<double>(body_.panels().size(), reach));
  return [panels, closest = closest()](std::span<const Vec3d> points) {
    const std::vector<ClosestPoint> found = panels->of(points);
    std::vector<NearWall> walls(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (found[i].panel < 0) continue;
      const double side = found[i].outside ? 1.0 : -1.0;
      walls[i] = {side * found[i].distance - closest, side * found[i].direction};
    }
    return walls;
  };
}

}  // namespace rankine::bem
