#include "rankine/bem/flow/exact.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

double magnitude(double value) { return std::abs(value); }
double magnitude(const Vec3d& value) { return norm(value); }

template <class Value>
FieldError error_of(std::span<const double> area, std::span<const Value> value,
                    std::span<const Value> reference) {
  assert(area.size() == value.size() && value.size() == reference.size());
  struct Sizes {
    double square = 0.0, most = 0.0;  ///< integral of the square; largest
    void add(double area, double size) {
      square += area * size * size;
      most = std::max(most, size);
    }
    void join(const Sizes& other) {
      square += other.square;
      most = std::max(most, other.most);
    }
  };
  struct Both {
    Sizes error, reference;
    void join(const Both& other) {
      error.join(other.error);
      reference.join(other.reference);
    }
  };
  const Both both = parallel_reduce(value.size(), Both{}, [&](std::size_t i, Both& sum) {
    sum.error.add(area[i], magnitude(value[i] - reference[i]));
    sum.reference.add(area[i], magnitude(reference[i]));
  });
  const auto relative = [](double error, double total) {
    return total > 0.0 ? error / total : error;
  };
  return {std::sqrt(relative(both.error.square, both.reference.square)),
          relative(both.error.most, both.reference.most)};
}

}  // namespace

double pressure_coefficient(const Vec3d& velocity, const Vec3d& stream) {
  const double speed2 = dot(stream, stream);
  return speed2 > 0.0 ? 1.0 - dot(velocity, velocity) / speed2 : 0.0;
}

double SphereFlow::potential(const Vec3d& x) const {
  const Vec3d r = x - centre;
  const double distance = norm(r);
  return 0.5 * radius * radius * radius * dot(stream, r) / (distance * distance * distance);
}

Vec3d SphereFlow::velocity(const Vec3d& x) const {
  const Vec3d r = x - centre;
  const double distance2 = dot(r, r), distance = std::sqrt(distance2);
  const double half_cube = 0.5 * radius * radius * radius / (distance2 * distance);
  return stream + half_cube * (stream - (3.0 * dot(stream, r) / distance2) * r);
}

SurfaceState SphereFlow::on_surface(const Vec3d& x) const {
  const Vec3d projected = centre + radius * normalized(x - centre);
  const Vec3d u = velocity(projected);
  return {potential(projected), u, pressure_coefficient(u, stream)};
}

EllipsoidFlow::EllipsoidFlow(const Vec3d& semi_axes, const Vec3d& stream, const Vec3d& centre)
    : axes_(semi_axes), stream_(stream), centre_(centre) {
  const double a = axes_.x, b = axes_.y, c = axes_.z;
  if (!(a > 0.0 && b > 0.0 && c > 0.0) || !std::isfinite(a * b * c)) {
    throw InputError(
        text_of("the semi-axes of an ellipsoid are ", axes_, "; give three positive lengths"));
  }
  const Vec3d of_surface = alpha(0.0);
  for (int i = 0; i < 3; ++i) k_[i] = of_surface[i] / (2.0 - of_surface[i]);
}

Vec3d EllipsoidFlow::alpha(double lambda) const {
  const double a2 = axes_.x * axes_.x + lambda, b2 = axes_.y * axes_.y + lambda,
               c2 = axes_.z * axes_.z + lambda;
  return (2.0 / 3.0 * axes_.x * axes_.y * axes_.z) *
         Vec3d{carlson_rd(b2, c2, a2), carlson_rd(c2, a2, b2), carlson_rd(a2, b2, c2)};
}

double EllipsoidFlow::confocal(const Vec3d& r) const {
  // sum r^2/(a^2 + lambda) - 1 decreases and is convex: Newton's method started on the left of the
  // root, where it is not negative, increases to the root.
  double lambda = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double value = -1.0, slope = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double below = axes_[i] * axes_[i] + lambda;
      value += r[i] * r[i] / below;
      slope -= r[i] * r[i] / (below * below);
    }
    if (!(value > 0.0)) break;
    const double step = -value / slope;
    lambda += step;
    if (step < 1e-15 * lambda) break;
  }
  return lambda;
}

Vec3d EllipsoidFlow::added_inertia() const {
  const Vec3d alpha_of = alpha(0.0);
  Vec3d inertia{};
  for (int axis = 0; axis < 3; ++axis) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    const double b = axes_[y] * axes_[y], c = axes_[z] * axes_[z];
    const double difference = b - c, alphas = alpha_of[y] - alpha_of[z];
    if (difference == 0.0) continue;  // a body of revolution about this axis
    inertia[axis] =
        -difference * difference * alphas / (5.0 * (2.0 * difference + (b + c) * alphas));
  }
  return inertia;
}

double EllipsoidFlow::potential(const Vec3d& x) const {
  const Vec3d r = x - centre_, of_point = alpha(confocal(r));
  double phi = 0.0;
  for (int i = 0; i < 3; ++i) phi += 0.5 * (1.0 + k_[i]) * of_point[i] * stream_[i] * r[i];
  return phi;
}

Vec3d EllipsoidFlow::velocity(const Vec3d& x) const {
  const Vec3d r = x - centre_;
  const double lambda = confocal(r);
  const Vec3d of_point = alpha(lambda);
  Vec3d u = stream_,
        across;  // normal to the confocal ellipsoid: half the gradient of lambda is
                 // across/|across|^2
  double root = 1.0, sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double below = axes_[i] * axes_[i] + lambda, strength = 0.5 * (1.0 + k_[i]) * stream_[i];
    u[i] += strength * of_point[i];
    across[i] = r[i] / below;
    sum += strength * across[i];  // of x d alpha/d lambda, without the factor -abc/root
    root *= std::sqrt(below);
  }
  return u - (2.0 * axes_.x * axes_.y * axes_.z * sum / (root * dot(across, across))) * across;
}

SurfaceState EllipsoidFlow::on_surface(const Vec3d& x) const {
  const Vec3d p = closest_on_ellipsoid(axes_, x - centre_);
  const Vec3d n = normalized(
      Vec3d{p.x / (axes_.x * axes_.x), p.y / (axes_.y * axes_.y), p.z / (axes_.z * axes_.z)});
  const Vec3d strengthened{(1.0 + k_.x) * stream_.x, (1.0 + k_.y) * stream_.y,
                           (1.0 + k_.z) * stream_.z};
  const Vec3d u = strengthened - dot(strengthened, n) * n;
  const double phi = k_.x * stream_.x * p.x + k_.y * stream_.y * p.y + k_.z * stream_.z * p.z;
  return {phi, u, pressure_coefficient(u, stream_)};
}

double carlson_rd(double x, double y, double z) {
  double sum = 0.0, power = 1.0;
  double mean = (x + y + 3.0 * z) / 5.0;
  const double spread = std::max({std::abs(mean - x), std::abs(mean - y), std::abs(mean - z)});
  // The truncation error is below (spread/mean)^6 / 5; 4^-k of it after k duplications.
  double reach = spread * 2.2e3;  // (eps/4)^(-1/6) = 680, rounded up
  while (reach > std::abs(mean)) {
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);
    const double lambda = rx * ry + ry * rz + rz * rx;
    sum += power / (rz * (z + lambda));
    power /= 4.0;
    x = (x + lambda) / 4.0;
    y = (y + lambda) / 4.0;
    z = (z + lambda) / 4.0;
    mean = (mean + lambda) / 4.0;
    reach /= 4.0;
  }
  const double dx = (mean - x) / mean, dy = (mean - y) / mean, dz = -(dx + dy) / 3.0;
  const double xy = dx * dy, z2 = dz * dz;
  const double e2 = xy - 6.0 * z2, e3 = (3.0 * xy - 8.0 * z2) * dz, e4 = 3.0 * (xy - z2) * z2,
               e5 = xy * z2 * dz;
  const double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 -
                        9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
  return 3.0 * sum + power * series / (mean * std::sqrt(mean));
}

Vec3d closest_on_ellipsoid(const Vec3d& semi_axes, const Vec3d& p) {
  const Vec3d squares{semi_axes.x * semi_axes.x, semi_axes.y * semi_axes.y,
                      semi_axes.z * semi_axes.z};
  // q = a^2 p / (a^2 + t) with t from sum a^2 p^2 / (a^2 + t)^2 = 1: convex and decreasing in t
  // above -min a^2, so Newton's method from the left converges monotonically; for p near the
  // surface t is near 0.
  const double smallest = std::min({squares.x, squares.y, squares.z});
  double t = 0.0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    double value = -1.0, slope = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double denominator = squares[axis] + t;
      const double term = squares[axis] * p[axis] * p[axis] / (denominator * denominator);
      value += term;
      slope -= 2.0 * term / denominator;
    }
    if (!(slope < 0.0)) break;
    const double step = -value / slope;
    t = std::max(t + step, 0.5 * (t - smallest));
    if (std::abs(step) < 1e-15 * smallest) break;
  }
  return {squares.x * p.x / (squares.x + t), squares.y * p.y / (squares.y + t),
          squares.z * p.z / (squares.z + t)};
}

FieldError relative_error(std::span<const double> area, std::span<const double> value,
                          std::span<const double> reference) {
  return error_of(area, value, reference);
}

FieldError relative_error(std::span<const double> area, std::span<const Vec3d> value,
                          std::span<const Vec3d> reference) {
  return error_of(area, value, reference);
}

}  // namespace rankine::bem
