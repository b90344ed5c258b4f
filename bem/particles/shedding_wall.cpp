#include "rankine/bem/particles/shedding_wall.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/particles/host_space.hpp"
#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

void check(double length, const std::string& what) {
  if (length > 0.0) return;
  throw InputError(what + " of vortices that a wall sheds is " + text_of(length) +
                   "; give a length above 0, about the size of panels, m");
}

Vec3d sum_of(const std::vector<Vec3d>& vectors) {
  Vec3d sum{};
  for (const Vec3d& each : vectors) sum += each;
  return sum;
}

/// 1/2 sum x x Gamma, m^4/s, of a sheet on the panels, about a point on the symmetry planes.
Vec3d impulse_of(const Panels& panels, std::span<const Vec3d> sheet) {
  const Vec3d origin = panels.symmetry.origin();
  Vec3d sum{};
  for (std::size_t i = 0; i < sheet.size(); ++i)
    sum += 0.5 * cross(panels.centroid[i] - origin, sheet[i]);
  return sum;
}

SlipSize size_of(const Panels& panels, const std::vector<Vec3d>& slip) {
  double squares = 0.0, sizes = 0.0;
  for (std::size_t i = 0; i < slip.size(); ++i) {
    squares += panels.area[i] * dot(slip[i], slip[i]);
    sizes += panels.area[i] * norm(slip[i]);
  }
  const double area = total_area(panels);
  return {std::sqrt(squares / area), sizes / area};
}

/// The weight a of the slips before the last one, relative to it. A ninth to a quarter of the slip
/// is left with 0.87 and 0.67 instead of a sixth.
constexpr double memory = 0.8;

/// Axes that move with a panel.
struct PanelFrame {
  Vec3d edge, normal, across;

  PanelFrame(const Panels& panels, std::size_t panel) : normal(panels.normal[panel]) {
    const Vec3d along = panels.shape[panel].corner[1] - panels.shape[panel].corner[0];
    edge = normalized(along - dot(along, normal) * normal);
    across = cross(normal, edge);
  }
  Vec3d components(const Vec3d& v) const { return {dot(v, edge), dot(v, normal), dot(v, across)}; }
  Vec3d vector(const Vec3d& v) const { return v.x * edge + v.y * normal + v.z * across; }
};

/// The box of all points closer than `reach` to the panels.
BoundingBox box_around(const Panels& panels, double reach) {
  BoundingBox box;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double far = panels.radius[i] + reach;
    box.add(panels.centroid[i] - Vec3d{far, far, far});
    box.add(panels.centroid[i] + Vec3d{far, far, far});
  }
  return box;
}

/// The numbers of the points in this box, ascending.
std::vector<std::size_t> numbers_in(const BoundingBox& box, std::span<const Vec3d> points) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (box.contains({points[i], points[i]})) found.push_back(i);
  }
  return found;
}

template <class T>
std::vector<T> only(const std::vector<T>& values, const std::vector<std::size_t>& numbers) {
  std::vector<T> found;
  found.reserve(numbers.size());
  for (const std::size_t i : numbers) found.push_back(values[i]);
  return found;
}
VortexParticles only(const VortexParticles& particles, const std::vector<std::size_t>& numbers) {
  return {only(particles.positions, numbers), only(particles.strengths, numbers),
          only(particles.core_radii, numbers)};
}

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The radius at which a core ends, in core radii. Beyond it are at most 3e-3 of the vorticity.
double end_of(fmm::Kernel core) {
  constexpr double step = 0.25, least = 1e-3;
  double rho = 0.0;
  while (core_vorticity(core, rho) > least * core_vorticity(core, 0.0)) rho += step;
  return rho;
}

/// Integral of the vorticity of a particle of unit strength along a line that passes its centre at
/// the distance `aside`. It begins at `from`, measured from the point of the line closest to the
/// centre, and ends at the end of the core. Lengths are in core radii; the result is divided by
/// their square. Six Gauss points give errors below 1e-3 of the largest value.
double core_beyond(fmm::Kernel core, double end, double aside, double from) {
  if (from < 0.0)
    return 2.0 * core_beyond(core, end, aside, 0.0) - core_beyond(core, end, aside, -from);
  constexpr double place[] = {0.23861918608319691, 0.66120938646626451, 0.93246951420315203},
                   weight[] = {0.46791393457269104, 0.36076157304813861, 0.17132449237917036};
  const double to = std::sqrt(std::max(0.0, end * end - aside * aside)), half = 0.5 * (to - from);
  if (half <= 0.0) return 0.0;
  const auto at = [&](double along) {
    return core_vorticity(core, std::sqrt(aside * aside + along * along));
  };
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double off = half * place[k], middle = from + half;
    sum += weight[k] * (at(middle - off) + at(middle + off));
  }
  return half * sum;
}

}  // namespace

std::vector<Vec3d> sheet_behind(const Panels& panels, const VortexParticles& particles,
                                fmm::Kernel core) {
  std::vector<Vec3d> sheet(panels.size());
  if (particles.positions.empty()) return sheet;
  const double end = end_of(core), reach = end * *std::max_element(particles.core_radii.begin(),
                                                                   particles.core_radii.end());
  const VortexParticles own =
      panels.symmetry.empty()
          ? only(particles, numbers_in(box_around(panels, reach), particles.positions))
          : particles;
  const auto [positions, strengths, radii] = with_images(panels.symmetry, own);
  if (positions.empty()) return sheet;
  std::vector<ClosestPoint> closest =
      ClosestPoints(panels, std::vector<double>(panels.size(), reach)).of(own.positions);
  for (std::size_t j = closest.size(); j < positions.size(); ++j) {
    closest.push_back(closest[j % own.positions.size()]);
    closest[j].direction =
        panels.symmetry.vector(static_cast<int>(j / own.positions.size()), closest[j].direction);
  }
  HostSpace space;
  CellArrays<HostSpace> sorted;
  const ParticleCells cells = sorted.sort(space, positions.size(), positions.data(), reach);
  HostSpace::each(panels.size(), [&](std::size_t i) {
    const Vec3d& normal = panels.normal[i];
    cells.near(panels.centroid[i], [&](std::size_t j, const Vec3d& r) {
      const double height = dot(r, normal), sigma = radii[j], aside = norm(r - height * normal);
      const bool own_side = height >= 0.0 || dot(closest[j].direction, normal) >= 0.0;
      const double beyond = own_side ? core_beyond(core, end, aside / sigma, height / sigma)
                                     : -core_beyond(core, end, aside / sigma, -height / sigma);
      sheet[i] += beyond / (sigma * sigma) * strengths[j];
    });
  });
  return sheet;
}

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
  const Vec3d difference = symmetric_vorticity(panels.symmetry, total - sum),
              missing = difference / total_area(panels);
  for (std::size_t i = 0; i < n; ++i) made.particles.strengths[i] += panels.area[i] * missing;
  if (sizes > 0.0) made.correction = norm(difference) / sizes;
  return made;
}

std::size_t lift(const Panels& panels, double distance, std::vector<Vec3d>& positions) {
  const double reach = fitted::deepest_particle * distance;
  const ClosestPoints search(panels, std::vector<double>(panels.size(), reach));
  std::size_t lifted = 0;
  const std::vector<std::size_t> near = numbers_in(box_around(panels, reach), positions);
  const std::vector<ClosestPoint> closest = search.of(only(positions, near));
  for (std::size_t k = 0; k < near.size(); ++k) {
    const ClosestPoint& wall = closest[k];
    if (wall.panel < 0 || (wall.outside && wall.distance >= distance)) continue;
    positions[near[k]] = wall.nearest + distance * wall.direction;
    ++lifted;
  }
  return lifted;
}

double SheddingWall::closest() const { return fitted::closest_particle * options_.distance; }

VortexParticles SheddingWall::shed_into(VortexParticles particles) {
  const Panels& panels = body_.panels();
  const PlaneImages planes(panels.symmetry, place());
  for (std::size_t i = 0; i < particles.positions.size(); ++i)
    planes.take_inside(particles.positions[i], particles.strengths[i]);
  record_.lifted += lift(panels, closest(), particles.positions);
  const Vec3d there = sum_of(particles.strengths);
  if (!total_) total_ = there;
  body_.solve(particles);
  std::vector<Vec3d> slip = slip_on_panels(particles);
  record_.slip = size_of(panels, slip).rms;
  if (record_.first_slip == 0.0) record_.first_slip = record_.slip;
  for (std::size_t i = 0; i < slip.size(); ++i) slip[i] += PanelFrame(panels, i).vector(left_[i]);
  const ShedVortices made = shed(panels, slip, options_, *total_ - body_.solid_vorticity() - there);
  body_.shed_rotation();
  record_.correction = std::max(record_.correction, made.correction);
  append_all(particles.positions, made.particles.positions);
  append_all(particles.strengths, made.particles.strengths);
  append_all(particles.core_radii, made.particles.core_radii);
  record_.impulse += impulse_of(panels, made.particles.strengths);
  return particles;
}

void SheddingWall::follow_slip() {
  body_.after_next_stage([this](const VortexParticles& particles) {
    const std::vector<Vec3d> slip = slip_on_panels(particles);
    for (std::size_t i = 0; i < slip.size(); ++i)
      left_[i] = memory * left_[i] + PanelFrame(body_.panels(), i).components(slip[i]);
  });
}

std::vector<Vec3d> SheddingWall::slip_on_panels(const VortexParticles& particles) {
  const Panels& panels = body_.panels();
  const std::vector<Vec3d> behind = sheet_behind(panels, particles, body_.core());
  std::vector<Vec3d> slip = body_.surface_velocity();
  for (std::size_t i = 0; i < slip.size(); ++i) slip[i] += cross(panels.normal[i], behind[i]);
  return slip;
}

SlipSize SheddingWall::slip(const VortexParticles& particles) {
  return size_of(body_.panels(), slip_on_panels(particles));
}

BoundingBox SheddingWall::within(double reach) const { return box_around(body_.panels(), reach); }

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
