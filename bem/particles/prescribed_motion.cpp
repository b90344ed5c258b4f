#include "rankine/bem/particles/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

/// (1 - cos a)/a^2 and (a - sin a)/a^3.
struct TurnFactors {
  double first, second;
};

TurnFactors turn_factors(double angle) {
  constexpr double small = 1e-3;  // the next terms of the series are below 1e-14
  const double a2 = angle * angle;
  if (angle < small) return {0.5 - a2 / 24.0, 1.0 / 6.0 - a2 / 120.0};
  return {(1.0 - std::cos(angle)) / a2, (angle - std::sin(angle)) / (a2 * angle)};
}

/// Slope at the second of three times, from the parabola through the three values.
Vec3d slope(double before, double after, const Vec3d& rise_before, const Vec3d& rise_after) {
  return (after / (before + after) / before) * rise_before +
         (before / (before + after) / after) * rise_after;
}

}  // namespace

PrescribedMotion::PrescribedMotion(std::vector<MotionSample> samples, const Vec3d& centre)
    : steady_{.velocity = {}, .angular_velocity = {}, .centre = centre},
      samples_(std::move(samples)) {
  if (samples_.size() < 2)
    throw InputError("a motion has " + std::to_string(samples_.size()) +
                     " times; give two or more");
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    if (samples_[i].time > samples_[i - 1].time) continue;
    throw InputError(text_of("the times of a motion do not rise: ", samples_[i].time, " s follows ",
                             samples_[i - 1].time, " s; sort its lines"));
  }
}

PrescribedMotion::State PrescribedMotion::state(double time) const {
  if (samples_.empty()) {
    return {time * steady_.velocity, time * steady_.angular_velocity, steady_.velocity,
            steady_.angular_velocity};
  }
  const MotionSample &first = samples_.front(), &last = samples_.back();
  if (time < first.time) return {first.displacement, first.rotation, {}, {}};
  if (time >= last.time) return {last.displacement, last.rotation, {}, {}};
  const auto after =
      std::upper_bound(samples_.begin(), samples_.end(), time,
                       [](double t, const MotionSample& sample) { return t < sample.time; });
  const auto at = static_cast<std::size_t>(after - samples_.begin()) - 1;
  const MotionSample &from = samples_[at], &to = samples_[at + 1];
  const double length = to.time - from.time, s = (time - from.time) / length;
  // The Hermite cubic of one of the vectors on this interval.
  const auto piece = [&](const Vec3d MotionSample::*value) {
    const auto rise = [&](std::size_t k) { return samples_[k + 1].*value - samples_[k].*value; };
    const auto gap = [&](std::size_t k) { return samples_[k + 1].time - samples_[k].time; };
    const auto slope_at = [&](std::size_t k) {
      if (k == 0 || k + 1 == samples_.size()) {  // at an end: the parabola of the neighbour, if
                                                 // there is one
        const std::size_t end = k == 0 ? 0 : k - 1;
        const Vec3d chord = rise(end) / gap(end);
        if (samples_.size() == 2) return chord;
        const std::size_t inner = k == 0 ? 1 : k - 1;
        return 2.0 * chord - slope(gap(inner - 1), gap(inner), rise(inner - 1), rise(inner));
      }
      return slope(gap(k - 1), gap(k), rise(k - 1), rise(k));
    };
    const Vec3d a = length * slope_at(at), b = length * slope_at(at + 1), total = rise(at);
    const Vec3d value_here =
        from.*value + s * (a + s * (3.0 * total - 2.0 * a - b + s * (a + b - 2.0 * total)));
    const Vec3d rate =
        (a + s * (2.0 * (3.0 * total - 2.0 * a - b) + 3.0 * s * (a + b - 2.0 * total))) / length;
    return std::pair{value_here, rate};
  };
  const auto [displacement, velocity] = piece(&MotionSample::displacement);
  const auto [rotation, rotation_rate] = piece(&MotionSample::rotation);
  return {displacement, rotation, velocity, rotation_rate};
}

Vec3d PrescribedMotion::place(double time, const Vec3d& x) const {
  const State now = state(time);
  const Vec3d arm = x - steady_.centre;
  const double angle = norm(now.rotation);
  const double sine = angle > 0.0 ? std::sin(angle) / angle : 1.0;
  const Vec3d turned = cross(now.rotation, arm);
  return x + now.displacement + sine * turned +
         turn_factors(angle).first * cross(now.rotation, turned);
}

RigidMotion PrescribedMotion::at(double time) const {
  const State now = state(time);
  const TurnFactors factors = turn_factors(norm(now.rotation));
  const Vec3d across = cross(now.rotation, now.rotation_rate);
  return {.velocity = now.velocity,
          .angular_velocity = now.rotation_rate + factors.first * across +
                              factors.second * cross(now.rotation, across),
          .centre = steady_.centre + now.displacement};
}

}  // namespace rankine::bem
