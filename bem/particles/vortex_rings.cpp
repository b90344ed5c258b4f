#include "rankine/bem/particles/vortex_rings.hpp"

#include <cmath>
#include <numbers>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

/// A resolved core ends at the radius where exp(-s^2/d^2) is 0.002.
const double end_of_core = std::sqrt(std::log(500.0));

/// A particle of a cross-section: its distances from the centre line, radially and along the axis
/// of the ring, and its circulation.
struct CorePoint {
  double outwards, along, circulation;
};

/// Circles about the centre line at multiples of `spacing`; particles on the centre line have the
/// same spacing around the ring.
struct RingLayout {
  int circles = 0;
  double spacing = 0.0;
  std::size_t around = 0;

  std::size_t in_section() const {
    return 1 + 4 * static_cast<std::size_t>(circles) * static_cast<std::size_t>(circles + 1);
  }
  std::size_t particles() const { return in_section() * around; }
};

[[noreturn]] void refuse(const std::string& what, double found, const std::string& advice) {
  throw InputError(text_of(what, " ", found, "; ", advice));
}

/// Core radius of the distribution of the particles' positions for which the total, with their own
/// cores, has the radius a.
double carried_radius(const VortexRing& ring, double sigma, fmm::Kernel kernel) {
  const double own = 2.0 * core_variance(kernel) * sigma * sigma,
               left = ring.core_radius * ring.core_radius - own;
  if (left <= 0.0) {
    refuse("the cores of particles alone make a ring's core at least as wide as", std::sqrt(own),
           "use a smaller sigma, a larger core_radius, or core_radius = 0 for a filament");
  }
  return std::sqrt(left);
}

RingLayout layout_of(const VortexRing& ring, std::size_t least, double sigma, fmm::Kernel kernel) {
  if (!(ring.radius > 0.0)) refuse("a ring has the radius", ring.radius, "give one above 0");
  const double length = 2.0 * pi * ring.radius;
  if (ring.core_radius == 0.0) return {0, length / static_cast<double>(least), least};
  const double extent = end_of_core * carried_radius(ring, sigma, kernel);
  if (extent >= ring.radius)
    refuse("the core of a ring reaches its axis, with a radius of", extent, "make it thinner");
  RingLayout layout;
  do {
    ++layout.circles;
    layout.spacing = extent / (layout.circles + 0.5);
    layout.around = static_cast<std::size_t>(std::ceil(length / layout.spacing));
  } while (layout.particles() < least);
  return layout;
}

std::vector<CorePoint> cross_section(const VortexRing& ring, const RingLayout& layout, double sigma,
                                     fmm::Kernel kernel) {
  std::vector<CorePoint> points{{0.0, 0.0, 1.0}};
  const double radius =
      layout.circles == 0 ? 1.0 : carried_radius(ring, sigma, kernel) / layout.spacing;
  for (int k = 1; k <= layout.circles; ++k) {
    for (int i = 0; i < 8 * k; ++i) {
      const double angle = 2.0 * pi * (i + 0.5) / (8 * k);
      points.push_back({k * layout.spacing * std::cos(angle), k * layout.spacing * std::sin(angle),
                        std::exp(-k * k / (radius * radius))});  // areas are alike
    }
  }
  double sum = 0.0;
  for (const CorePoint& each : points) sum += each.circulation;
  for (CorePoint& each : points) each.circulation *= ring.circulation / sum;
  return points;
}

/// Two unit vectors that make a right-handed frame with `axis`.
std::pair<Vec3d, Vec3d> across(const Vec3d& axis) {
  const Vec3d helper = std::abs(axis.x) < 0.6 ? Vec3d{1.0, 0.0, 0.0} : Vec3d{0.0, 1.0, 0.0};
  const Vec3d second = normalized(cross(axis, helper));
  return {cross(second, axis), second};
}

void add(const VortexRing& ring, const RingLayout& layout, double sigma, fmm::Kernel kernel,
         VortexParticles& particles) {
  if (!(norm(ring.axis) > 0.0)) refuse("the axis of a ring has the length", 0.0, "give another");
  const Vec3d axis = normalized(ring.axis);
  const auto [e1, e2] = across(axis);
  const std::vector<CorePoint> section = cross_section(ring, layout, sigma, kernel);
  for (std::size_t i = 0; i < layout.around; ++i) {
    const double turn = 2.0 * pi / static_cast<double>(layout.around),
                 angle = turn * static_cast<double>(i);
    const Vec3d outwards = std::cos(angle) * e1 + std::sin(angle) * e2,
                tangent = std::cos(angle) * e2 - std::sin(angle) * e1;
    for (const CorePoint& point : section) {
      const double radius = ring.radius + point.outwards;
      particles.positions.push_back(ring.centre + radius * outwards + point.along * axis);
      particles.strengths.push_back(point.circulation * radius * turn * tangent);
    }
  }
}

}  // namespace

double core_variance(fmm::Kernel kernel) {
  return kernel == fmm::Kernel::vortex_exponential ? std::tgamma(5.0 / 3.0) / 3.0 : 1.0;
}

std::size_t particles_of(const VortexRing& ring, std::size_t least, double sigma,
                         fmm::Kernel kernel) {
  return layout_of(ring, least, sigma, kernel).particles();
}

VortexParticles vortex_rings(const std::vector<VortexRing>& rings, std::size_t least, double sigma,
                             fmm::Kernel kernel) {
  if (!(sigma > 0.0)) refuse("vortex particles have the core radius", sigma, "give one above 0");
  VortexParticles particles;
  for (const VortexRing& ring : rings)
    add(ring, layout_of(ring, least, sigma, kernel), sigma, kernel, particles);
  particles.core_radii.assign(particles.positions.size(), sigma);
  return particles;
}

}  // namespace rankine::bem
