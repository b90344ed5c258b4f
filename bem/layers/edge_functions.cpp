#include "rankine/bem/layers/edge_functions.hpp"

#include <algorithm>
#include <cmath>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {
namespace {

using Barycentric = std::array<double, 3>;

Barycentric between(const Barycentric& p, const Barycentric& q) {
  return {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])};
}

/// Calls visit(corners) for the parts of a triangle that is halved `left` times, in barycentric
/// coordinates.
template <class Visit>
void for_each_part(int left, const std::array<Barycentric, 3>& whole, const Visit& visit) {
  if (left == 0) {
    visit(whole);
    return;
  }
  const auto& [a, b, c] = whole;
  const Barycentric ab = between(a, b), bc = between(b, c), ca = between(c, a);
  for (const std::array<Barycentric, 3>& part : {std::array{a, ab, ca}, std::array{ab, b, bc},
                                                 std::array{ca, bc, c}, std::array{ab, bc, ca}})
    for_each_part(left - 1, part, visit);
}

/// The mean of f over a triangle on which t is linear, from t at its corners.
double mean_of_linear(const EdgeFunction& of, std::array<double, 3> t) {
  // With F'' = f, the mean of f is twice the second difference quotient of F. Equal values of t are
  // moved apart, since quotients need differences.
  std::ranges::sort(t);
  constexpr double apart = 1e-4;
  if (t[2] == 0.0) return 0.0;
  t[1] = std::max(t[1], t[0] + apart * t[2]);
  t[2] = std::max(t[2], t[1] + apart * t[2]);
  const double a = of.exponent;
  std::array<double, 3> f;
  for (std::size_t k = 0; k < 3; ++k) f[k] = std::pow(t[k], a + 2.0) / ((a + 1.0) * (a + 2.0));
  const double second =
      ((f[2] - f[1]) / (t[2] - t[1]) - (f[1] - f[0]) / (t[1] - t[0])) / (t[2] - t[0]);
  return (2.0 * second - of.linear * (t[0] + t[1] + t[2]) / 3.0) / of.divisor;
}

}  // namespace

Vec3d EdgeFunction::from_edge(const Vec3d& y) const {
  Vec3d closest{};
  double least = -1.0;
  for (const EdgePiece& piece : pieces) {
    const Vec3d along = piece.end - piece.begin;
    const double t = std::clamp(dot(y - piece.begin, along) / dot(along, along), -0.5, 1.5);
    const Vec3d r = y - piece.begin - t * along;
    if (least >= 0.0 && dot(r, r) >= least) continue;
    least = dot(r, r);
    closest = r;
  }
  return closest;
}

double EdgeFunction::distance(const Vec3d& y) const { return norm(from_edge(y)) / scale; }

double EdgeFunction::operator()(const Vec3d& y) const {
  const double t = distance(y);
  return (std::pow(t, exponent) - linear * t) / divisor;
}

Vec3d EdgeFunction::gradient(const Vec3d& y) const {
  const Vec3d r = from_edge(y);
  const double d = norm(r);
  return (exponent * std::pow(d / scale, exponent - 1.0) - linear) / (divisor * d * scale) * r;
}

double EdgeFunction::mean(const TrianglePatch<double>& triangle) const {
  // Between two edges t is not linear, but almost on each quarter.
  const std::array<double, 3> at_corner{distance(triangle.corner[0]), distance(triangle.corner[1]),
                                        distance(triangle.corner[2])},
      between{distance(triangle.point(0.0, 0.5, 0.5)), distance(triangle.point(0.5, 0.0, 0.5)),
              distance(triangle.point(0.5, 0.5, 0.0))};
  double sum = mean_of_linear(*this, between);
  for (std::size_t k = 0; k < 3; ++k)
    sum += mean_of_linear(*this, {at_corner[k], between[(k + 1) % 3], between[(k + 2) % 3]});
  return 0.25 * sum;
}

std::vector<EdgePart> edge_parts(const PanelShape<double>& shape,
                                 std::span<const EdgeFunction> functions) {
  constexpr std::array<Barycentric, 3> whole{Barycentric{1, 0, 0}, Barycentric{0, 1, 0},
                                             Barycentric{0, 0, 1}};
  std::vector<EdgePart> parts;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    const auto add = [&](const std::array<Barycentric, 3>& corners) {
      EdgePart part{};
      part.shape.corners = 3;
      part.shape.curved = shape.curved;
      const auto point = [&](const Barycentric& at) { return triangle.point(at[0], at[1], at[2]); };
      Vec3d* const x = part.shape.corner;
      for (std::size_t k = 0; k < 3; ++k) x[k] = point(corners[k]);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        part.shape.bulge[k] = point(between(corners[k], corners[next])) - 0.5 * (x[k] + x[next]);
      }
      part.centre = (x[0] + x[1] + x[2]) / 3.0;
      const Vec3d e1 = x[1] - x[0], e2 = x[2] - x[0], n = cross(e1, e2);
      for (std::size_t b = 0; b < functions.size(); ++b) {
        const EdgeFunction& f = functions[b];
        part.means[b] = f.mean(triangle_of(part.shape, 0));
        const double f0 = f(x[0]), f1 = f(x[1]) - f0, f2 = f(x[2]) - f0;
        part.slopes[b] = (f1 * cross(e2, n) + f2 * cross(n, e1)) / dot(n, n);
      }
      parts.push_back(part);
    };
    for_each_part(2, whole, add);
  }
  return parts;
}

}  // namespace rankine::bem
