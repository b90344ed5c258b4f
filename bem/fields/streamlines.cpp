#include "rankine/bem/fields/streamlines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

/// Relative to the largest speed at the seeds.
constexpr double least_speed = 1e-6;

/// The state of a line.
struct Tip {
  std::size_t line;
  double sense;  ///< 1 with the velocity, -1 against it
  Vec3d x;
  double s = 0.0, step;
  Vec3d k[4]{};  ///< directions of the stages, the first at x
};

void require_positive(double value, const std::string& name) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw InputError("streamlines: the " + name + " is " + text_of(value) +
                   " m; give one above zero");
}

/// Position on the segment from a to b, 0 to 1, where it leaves the box; 1 if b is in the box.
double share_within(const BoundingBox& box, const Vec3d& a, const Vec3d& b) {
  double share = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (b[axis] > box.upper[axis])
      share = std::min(share, (box.upper[axis] - a[axis]) / (b[axis] - a[axis]));
    if (b[axis] < box.lower[axis])
      share = std::min(share, (box.lower[axis] - a[axis]) / (b[axis] - a[axis]));
  }
  return std::max(share, 0.0);
}

class Tracer {
 public:
  /// `senses`: 1: with the velocity, -1: against it; the lines of the first direction come first.
  Tracer(const VelocityField& field, std::span<const Vec3d> seeds, std::span<const double> senses,
         const StreamlineOptions& options)
      : field_(field), options_(options), lines_(seeds.size() * senses.size()) {
    begin(seeds, senses);
  }

  std::vector<Streamline> run() {
    for (int steps = 0; steps < options_.most_steps && !tips_.empty(); ++steps) {
      throw_if_stopped();
      step();
    }
    for (const Tip& tip : tips_) lines_[tip.line].end = LineEnd::steps;
    return std::move(lines_);
  }

 private:
  /// The direction of the field at a point.
  enum class Found { direction, stagnation, body };

  void begin(std::span<const Vec3d> seeds, std::span<const double> senses) {
    const VelocitySample sample = field_(seeds);
    for (std::size_t i = 0; i < seeds.size(); ++i)
      largest_ = std::max(largest_, norm(sample.velocity[i]));
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const std::size_t i = k % seeds.size();
      Streamline& line = lines_[k];
      line.points.push_back(seeds[i]);
      line.s.push_back(0.0);
      Tip tip{.line = k,
              .sense = senses[k / seeds.size()],
              .x = seeds[i],
              .step = std::min(options_.most_step, options_.length)};
      const Found found = take(sample, i, tip.sense, tip.k[0]);
      if (found != Found::direction) {
        line.end = found == Found::body ? LineEnd::body : LineEnd::stagnation;
      } else if (!within(seeds[i])) {
        line.end = LineEnd::box;
      } else {
        tips_.push_back(tip);
      }
    }
  }

  bool within(const Vec3d& x) const {
    BoundingBox point;
    point.add(x);
    return options_.box.contains(point);
  }

  Found take(const VelocitySample& sample, std::size_t i, double sense, Vec3d& direction) const {
    if (sample.inside[i] != 0) return Found::body;
    const double speed = norm(sample.velocity[i]);
    if (!(speed > least_speed * largest_)) return Found::stagnation;
    direction = sense * sample.velocity[i] / speed;
    return Found::direction;
  }

  /// One step of every line: third order with an error estimate of second.
  void step() {
    const std::size_t count = tips_.size();
    std::vector<Found> found(count, Found::direction);
    std::vector<Vec3d> at(count);
    const auto stage = [&](int k, auto place_of) {
      for (std::size_t i = 0; i < count; ++i) at[i] = place_of(tips_[i]);
      const VelocitySample sample = field_(at);
      for (std::size_t i = 0; i < count; ++i) {
        const Found now = take(sample, i, tips_[i].sense, tips_[i].k[k]);
        if (found[i] == Found::direction) found[i] = now;
      }
    };
    const auto end_of = [](const Tip& tip) {
      return tip.x +
             tip.step * (2.0 / 9.0 * tip.k[0] + 1.0 / 3.0 * tip.k[1] + 4.0 / 9.0 * tip.k[2]);
    };
    stage(1, [](const Tip& tip) { return tip.x + 0.5 * tip.step * tip.k[0]; });
    stage(2, [](const Tip& tip) { return tip.x + 0.75 * tip.step * tip.k[1]; });
    stage(3, end_of);
    std::vector<Tip> going_on;
    for (std::size_t i = 0; i < count; ++i) {
      Tip tip = tips_[i];
      if (finish(tip, found[i], end_of(tip))) going_on.push_back(tip);
    }
    tips_ = std::move(going_on);
  }

  /// Accepts the step or shortens it. Returns false if the line ends.
  bool finish(Tip& tip, Found found, const Vec3d& end) {
    Streamline& line = lines_[tip.line];
    if (found != Found::direction) {
      tip.step *= 0.25;
      if (tip.step > options_.tolerance) return true;
      line.end = found == Found::body ? LineEnd::body : LineEnd::stagnation;
      return false;
    }
    const Vec3d difference = tip.step * (-5.0 / 72.0 * tip.k[0] + 1.0 / 12.0 * tip.k[1] +
                                         1.0 / 9.0 * tip.k[2] - 1.0 / 8.0 * tip.k[3]);
    const double error = norm(difference) / options_.tolerance;
    const double factor = std::clamp(0.9 / std::cbrt(std::max(error, 1e-12)), 0.2, 5.0);
    const double taken = tip.step;
    tip.step = std::min(taken * factor, options_.most_step);
    if (error > 1.0) {
      line.end = LineEnd::stagnation;  // the direction reverses within the tolerance
      return tip.step > options_.tolerance;
    }
    const double share = share_within(options_.box, tip.x, end);
    tip.x = share < 1.0 ? tip.x + share * (end - tip.x) : end;
    tip.s += share * taken;
    line.points.push_back(tip.x);
    line.s.push_back(tip.s);
    if (share < 1.0) {
      line.end = LineEnd::box;
      return false;
    }
    tip.k[0] = tip.k[3];
    line.end = LineEnd::length;
    const double left = options_.length - tip.s;
    tip.step = std::min(std::max(tip.step, options_.tolerance), left);
    return left > 1e-9 * options_.length;
  }

  const VelocityField& field_;
  const StreamlineOptions& options_;
  std::vector<Streamline> lines_;
  std::vector<Tip> tips_;
  double largest_ = 0.0;
};

std::vector<Streamline> trace(const VelocityField& field, std::span<const Vec3d> seeds,
                              std::span<const double> senses, const StreamlineOptions& options) {
  require_positive(options.length, "length");
  require_positive(options.tolerance, "tolerance");
  require_positive(options.most_step, "largest step");
  return Tracer(field, seeds, senses, options).run();
}

}  // namespace

std::vector<Streamline> trace_streamlines(const VelocityField& field, std::span<const Vec3d> seeds,
                                          const StreamlineOptions& options) {
  const std::array sense{options.upstream ? -1.0 : 1.0};
  return trace(field, seeds, sense, options);
}

LinesOfBothSenses trace_both_senses(const VelocityField& field, std::span<const Vec3d> seeds,
                                    const StreamlineOptions& options) {
  constexpr std::array senses{1.0, -1.0};
  std::vector<Streamline> lines = trace(field, seeds, senses, options);
  const auto middle = lines.begin() + static_cast<std::ptrdiff_t>(seeds.size());
  LinesOfBothSenses both;
  both.upstream.assign(std::make_move_iterator(middle), std::make_move_iterator(lines.end()));
  lines.erase(middle, lines.end());
  both.downstream = std::move(lines);
  return both;
}

}  // namespace rankine::bem
