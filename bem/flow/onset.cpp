#include "rankine/bem/flow/onset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

std::string name_of(const PointSource& source) {
  return text_of("the point source at ", source.position, " m");
}
std::string name_of(const PointDoublet& doublet) {
  return text_of("the point doublet at ", doublet.position, " m");
}
std::string name_of(const VortexSegment& segment) {
  return text_of("the vortex segment from ", segment.from, " to ", segment.to, " m");
}

bool finite(const PointSource& source) {
  return is_finite(source.position) && std::isfinite(source.strength);
}
bool finite(const PointDoublet& doublet) {
  return is_finite(doublet.position) && is_finite(doublet.moment);
}
bool finite(const VortexSegment& segment) {
  return is_finite(segment.from) && is_finite(segment.to) && std::isfinite(segment.circulation);
}

/// The planes on which a singularity lies, as bits.
int planes_of(const meshes::Symmetry& symmetry, const PointSource& source) {
  return symmetry.planes_at(source.position);
}
int planes_of(const meshes::Symmetry& symmetry, const PointDoublet& doublet) {
  return symmetry.planes_at(doublet.position);
}
int planes_of(const meshes::Symmetry& symmetry, const VortexSegment& segment) {
  return symmetry.planes_at(segment.from) & symmetry.planes_at(segment.to);
}

/// Whether the image of a singularity, in a plane that contains it, has the same sign.
bool image_agrees(const meshes::SymmetryPlane& plane, const PointSource&) {
  return plane.sign > 0.0;
}
bool image_agrees(const meshes::SymmetryPlane& plane, const PointDoublet& doublet) {
  for (int axis = 0; axis < 3; ++axis) {
    const double kept = axis == plane.axis ? -plane.sign : plane.sign;
    if (kept < 0.0 && doublet.moment[axis] != 0.0) return false;
  }
  return true;
}
/// A reflection reverses circulation.
bool image_agrees(const meshes::SymmetryPlane& plane, const VortexSegment&) {
  return plane.sign < 0.0;
}

template <class Singularity>
void check_each(const std::vector<Singularity>& all, const meshes::Symmetry& symmetry) {
  for (const Singularity& each : all) {
    if (!finite(each))
      throw InputError(name_of(each) + " holds a number that is not finite; give SI units");
    const int planes = planes_of(symmetry, each);
    for (std::size_t k = 0; k < symmetry.planes().size(); ++k) {
      const meshes::SymmetryPlane& plane = symmetry.planes()[k];
      if ((planes >> k & 1) == 0 || image_agrees(plane, each)) continue;
      throw InputError(name_of(each) + " lies on the " +
                       (plane.sign > 0.0 ? "symmetry plane " : "plane of zero potential ") +
                       meshes::name(plane) +
                       " m, where its image cancels it or a part of it; move it, turn it, or leave "
                       "it out");
    }
  }
}

/// The strength of one of the images that coincide, relative to their sum.
template <class Singularity>
double share(const meshes::Symmetry& symmetry, const Singularity& each) {
  return 1.0 / (1 << std::popcount(static_cast<unsigned>(planes_of(symmetry, each))));
}

Vec3d velocity_of(const PointSource& source, const Vec3d& x) {
  const Vec3d r = x - source.position;
  const double r2 = dot(r, r);
  return r2 > 0.0 ? source.strength * inverse_four_pi / (r2 * std::sqrt(r2)) * r : Vec3d{};
}

Vec3d velocity_of(const PointDoublet& doublet, const Vec3d& x) {
  const Vec3d r = x - doublet.position;
  const double r2 = dot(r, r);
  if (!(r2 > 0.0)) return {};
  return inverse_four_pi / (r2 * std::sqrt(r2)) *
         (3.0 * dot(doublet.moment, r) / r2 * r - doublet.moment);
}

}  // namespace

Vec3d velocity_of(const VortexSegment& segment, const Vec3d& x) {
  const Vec3d ra = x - segment.from, rb = x - segment.to, across = cross(ra, rb);
  const double a = norm(ra), b = norm(rb), along = dot(ra, rb), across2 = dot(across, across);
  if (!(a * b > 0.0)) return {};
  // (a b + along)(a b - along) = across^2; the factor without cancellation is computed directly.
  if (along >= 0.0)
    return segment.circulation * inverse_four_pi * (a + b) / (a * b * (a * b + along)) * across;
  if (!(across2 > 0.0)) return {};
  return segment.circulation * inverse_four_pi * (a + b) * (a * b - along) / (a * b * across2) *
         across;
}

void check(const Onset& onset, const meshes::Symmetry& symmetry) {
  if (!onset.empty()) require_planes(symmetry, "a flow with sources, doublets or vortices");
  check_each(onset.sources, symmetry);
  check_each(onset.doublets, symmetry);
  check_each(onset.vortices, symmetry);
  for (const VortexSegment& each : onset.vortices) {
    if (each.from == each.to)
      throw InputError(name_of(each) + " has no length; give two points, or leave it out");
  }
}

std::vector<LooseEnd> loose_ends(const Onset& onset, const meshes::Symmetry& symmetry) {
  BoundingBox box;
  double most = 0.0;
  for (const VortexSegment& each : onset.vortices) {
    box.add(each.from);
    box.add(each.to);
    most = std::max(most, std::abs(each.circulation));
  }
  constexpr double rounding = 1e-9;
  const double unit = rounding * box.diagonal();
  std::map<std::array<double, 3>, LooseEnd> ends;
  const auto add = [&](const Vec3d& at, double circulation) {
    const std::array key{std::round(at.x / unit), std::round(at.y / unit), std::round(at.z / unit)};
    LooseEnd& end = ends[key];
    end.position = at;
    end.circulation += circulation;
  };
  for (const VortexSegment& each : onset.vortices) {
    for (int image = 0; image < symmetry.images(); ++image) {
      const double turned = (symmetry.turns(image) ? -1.0 : 1.0) * symmetry.sign(image) *
                            share(symmetry, each) * each.circulation;
      add(symmetry.point(image, each.from), -turned);
      add(symmetry.point(image, each.to), turned);
    }
  }
  std::vector<LooseEnd> loose;
  for (const auto& [key, end] : ends) {
    if (std::abs(end.circulation) > rounding * most) loose.push_back(end);
  }
  return loose;
}

double distance_from(const VortexSegment& segment, const Vec3d& x) {
  const Vec3d along = segment.to - segment.from, r = x - segment.from;
  const double t = std::clamp(dot(r, along) / dot(along, along), 0.0, 1.0);
  return norm(r - t * along);
}

OnsetField::OnsetField(const Onset& onset, const meshes::Symmetry& symmetry)
    : onset_(onset), symmetry_(symmetry) {
  check(onset, symmetry);
  for (PointSource& each : onset_.sources) each.strength *= share(symmetry, each);
  for (PointDoublet& each : onset_.doublets) each.moment *= share(symmetry, each);
  for (VortexSegment& each : onset_.vortices) each.circulation *= share(symmetry, each);
}

Vec3d OnsetField::velocity_of_originals(const Vec3d& x) const {
  Vec3d sum{};
  for (const PointSource& each : onset_.sources) sum += velocity_of(each, x);
  for (const PointDoublet& each : onset_.doublets) sum += velocity_of(each, x);
  for (const VortexSegment& each : onset_.vortices) sum += velocity_of(each, x);
  return sum;
}

double OnsetField::potential_of_originals(const Vec3d& x) const {
  double sum = 0.0;
  for (const PointSource& each : onset_.sources) {
    const double distance = norm(x - each.position);
    if (distance > 0.0) sum -= each.strength / distance;
  }
  for (const PointDoublet& each : onset_.doublets) {
    const Vec3d r = x - each.position;
    const double distance = norm(r);
    if (distance > 0.0) sum -= dot(each.moment, r) / (distance * distance * distance);
  }
  return inverse_four_pi * sum;
}

Vec3d OnsetField::velocity(const Vec3d& x) const {
  if (empty()) return {};
  Vec3d sum{};
  for (int image = 0; image < symmetry_.images(); ++image)
    sum += symmetry_.sign(image) * symmetry_.vector(image, velocity_of_originals(symmetry_.point(
                                                               symmetry_.inverse(image), x)));
  return sum;
}

double OnsetField::potential(const Vec3d& x) const {
  double sum = 0.0;
  for (int image = 0; image < symmetry_.images(); ++image)
    sum += symmetry_.sign(image) * potential_of_originals(symmetry_.point(image, x));
  return sum;
}

double OnsetField::nearest(const Vec3d& x) const {
  double least = std::numeric_limits<double>::infinity();
  for (int image = 0; image < symmetry_.images(); ++image) {
    const Vec3d from = symmetry_.point(image, x);
    for (const PointSource& each : onset_.sources)
      least = std::min(least, norm(from - each.position));
    for (const PointDoublet& each : onset_.doublets)
      least = std::min(least, norm(from - each.position));
    for (const VortexSegment& each : onset_.vortices)
      least = std::min(least, distance_from(each, from));
  }
  return least;
}

double OnsetField::flux_through(const TrianglePatch<double>& triangle,
                                const std::array<Vec3d, 3>& corner, int divisions) const {
  static const std::vector<TrianglePoint> rule = triangle_rule(7);  // of degree 5
  constexpr int most_divisions = 16;
  constexpr double clear = 3.0;
  const auto at = [&](const Vec3d& p) { return triangle.point(p.x, p.y, p.z); };
  const Vec3d middle = (corner[0] + corner[1] + corner[2]) / 3.0;
  double reach = 0.0;
  for (const Vec3d& each : corner) reach = std::max(reach, norm(at(each) - at(middle)));
  double sum = 0.0;
  if (divisions < most_divisions && nearest(at(middle)) < clear * reach) {
    const std::array half{0.5 * (corner[0] + corner[1]), 0.5 * (corner[1] + corner[2]),
                          0.5 * (corner[2] + corner[0])};
    for (int k = 0; k < 3; ++k) {
      const auto next = static_cast<std::size_t>(k), last = static_cast<std::size_t>((k + 2) % 3);
      sum += flux_through(triangle, {corner[next], half[next], half[last]}, divisions + 1);
    }
    return sum + flux_through(triangle, half, divisions + 1);
  }
  for (const TrianglePoint& p : rule) {
    const Vec3d y = p.a * corner[0] + p.b * corner[1] + p.c * corner[2];
    sum += p.weight * dot(velocity(at(y)), triangle.vector_area(y.x, y.y, y.z));
  }
  return sum * std::ldexp(1.0, -2 * divisions);
}

std::vector<double> OnsetField::mean_flux(const Panels& panels) const {
  if (empty()) return {};
  std::vector<double> mean(panels.size(), 0.0);
  constexpr std::size_t chunk = 64;
  parallel_chunks(panels.size(), chunk, [&](std::size_t i) {
    const PanelShape<double>& shape = panels.shape[i];
    const std::array<Vec3d, 3> whole{Vec3d{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int half = 0; half + 2 < shape.corners; ++half)
      mean[i] += flux_through(triangle_of(shape, half), whole, 0);
    mean[i] /= panels.area[i];
  });
  return mean;
}

}  // namespace rankine::bem
