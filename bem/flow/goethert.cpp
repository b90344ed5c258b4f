#include "rankine/bem/flow/goethert.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

template <class Map>
WakeLines mapped(const WakeLines& lines, WakeLines own, const Map& map) {
  for (auto& [node, line] : own) {
    const WakeLine& from = lines.at(node);
    const double scale = norm(map(from.course.velocity));
    line.points.resize(1);
    line.stations.resize(1);
    for (std::size_t k = 1; k < from.points.size(); ++k) {
      line.points.push_back(line.points.front() + map(from.points[k] - from.points.front()));
      line.stations.push_back(scale * from.stations[k]);
    }
  }
  return own;
}

}  // namespace

WakeLines GoethertRule::stretched(const WakeLines& lines, WakeLines own) const {
  return mapped(lines, std::move(own), [this](const Vec3d& x) { return stretched(x); });
}

WakeLines GoethertRule::restored(const WakeLines& lines, WakeLines own) const {
  return mapped(lines, std::move(own), [this](const Vec3d& x) { return restored(x); });
}

GoethertRule::GoethertRule(const Vec3d& stream, double mach)
    : axis_(stream / norm(stream)), mach_(mach), beta_(std::sqrt(1.0 - mach * mach)) {
  if (!(norm(stream) > 0.0)) throw InputError("a Mach number needs a stream; give its velocity");
  if (!(mach >= 0.0 && mach < 1.0)) {
    throw InputError(text_of(
        "the Mach number is ", mach,
        ", but the linear equation of subsonic flow holds from 0 to below 1; give a smaller one"));
  }
}

Solution GoethertRule::physical(const Panels& body, Solution equivalent) const {
  Solution found = std::move(equivalent);
  const double scale = 1.0 / (beta_ * beta_);
  for (std::vector<double>* const values :
       {&found.phi, &found.sheets, &found.circulation_error, &found.pressure}) {
    for (double& each : *values) each *= scale;
  }
  found.flux.resize(found.gradient.size());
  parallel_for(found.gradient.size(), [&](std::size_t i) {
    found.gradient[i] = gradient(found.gradient[i]);
    found.velocity[i] = found.stream + found.gradient[i];
    found.flux[i] = dot(found.gradient[i], body.normal[i]);
  });
  return found;
}

Field GoethertRule::physical(const Vec3d& stream, Field equivalent) const {
  Field found = std::move(equivalent);
  const double scale = 1.0 / (beta_ * beta_);
  parallel_for(found.phi.size(), [&](std::size_t i) {
    if (found.inside[i] != 0) return;
    found.phi[i] *= scale;
    found.pressure[i] *= scale;
    found.velocity[i] = stream + gradient(found.velocity[i] - stream);
  });
  return found;
}

ErrorEstimate GoethertRule::physical(ErrorEstimate equivalent) const {
  const double scale = 1.0 / (beta_ * beta_);
  for (std::vector<double>* const values : {&equivalent.velocity, &equivalent.potential}) {
    for (double& each : *values) each *= scale;
  }
  ErrorFigures& figures = equivalent.figures;
  for (double* const each : {&figures.velocity.l2, &figures.velocity.max, &figures.at_worst})
    *each *= scale;
  figures.force *= scale * scale;
  return equivalent;
}

double sonic_pressure_coefficient(double mach) {
  constexpr double ratio = 1.4;
  if (mach == 0.0) return -std::numeric_limits<double>::infinity();
  const double temperature =
      (1.0 + 0.5 * (ratio - 1.0) * mach * mach) / (1.0 + 0.5 * (ratio - 1.0));
  return 2.0 / (ratio * mach * mach) * (std::pow(temperature, ratio / (ratio - 1.0)) - 1.0);
}

double critical_mach(double mach, double cp) {
  if (!(cp < 0.0)) return 1.0;
  const double at_rest = cp * std::sqrt(1.0 - mach * mach);
  double low = 0.0, high = 1.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    const bool slow =
        at_rest / std::sqrt(1.0 - middle * middle) > sonic_pressure_coefficient(middle);
    (slow ? low : high) = middle;
  }
  return low;
}

}  // namespace rankine::bem
