#include "rankine/bem/particles/vortex_flow.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/particles/monitors.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Distance from a wall, in spacings, beyond which particles diffuse as without a wall.
constexpr double wall_distance = 3.0;

Vec3d mean_of(const std::vector<Vec3d>& points) {
  Vec3d sum{};
  for (const Vec3d& each : points) sum += each / static_cast<double>(points.size());
  return sum;
}

}  // namespace

VortexFlow::VortexFlow(Backend& backend, const VortexParticles& start,
                       const VortexFlowOptions& options, SheddingWall* wall,
                       const SumPoints& made_at, double time)
    : backend_(backend),
      options_(options),
      wall_(wall),
      time_(time),
      inside_(wall != nullptr ? wall->place() : mean_of(start.positions)),
      system_(backend, start, options.system, made_at) {}

void VortexFlow::move(double step) {
  system_.advance(step, time_);
  time_ += step;
  if (options_.system.surroundings != nullptr) options_.system.surroundings->move_to(time_);
}

void VortexFlow::advance(double step) {
  if (wall_ == nullptr && options_.viscosity == 0.0) return move(step);
  Stopwatch watch;
  if (wall_ != nullptr && options_.redistributes) wall_->follow_slip();
  Array before = backend_.allocate(3 * size());
  backend_.copy(before.size(), system_.arrays().strengths.data(), before.data());
  move(step);
  record_.limited += system_.limit_growth(before, step);
  seconds_.motion = watch.lap();
  system_.change([&](VortexArrays& particles) {
    if (wall_ != nullptr) record_.wall_impulse -= impulse_of(particles);
    const std::size_t sheet = shed_into(particles);
    seconds_.shedding = watch.lap();
    diffuse(particles, sheet, step);
    seconds_.diffusion = watch.lap();
    if (wall_ != nullptr) record_.wall_impulse += impulse_of(particles);
  });
  // Wider cores need a larger distance between boxes that use expansions.
  if (options_.viscosity > 0.0 && !options_.redistributes) system_.renew();
  seconds_.operators = watch.lap();
}

Vec3d VortexFlow::impulse_of(const VortexArrays& particles) const {
  return bem::impulse_of(downloaded(backend_, particles), options_.system.symmetry.origin());
}

std::size_t VortexFlow::shed_into(VortexArrays& particles) {
  const std::size_t before = particles.size();
  if (wall_ != nullptr)
    particles = uploaded(backend_, wall_->shed_into(downloaded(backend_, particles)));
  return before;
}

void VortexFlow::diffuse(VortexArrays& particles, std::size_t sheet, double step) {
  if (options_.viscosity == 0.0) return;
  if (!options_.redistributes) {
    VortexParticles here = downloaded(backend_, particles);
    spread_cores(here, options_.system.sum.kernel, options_.viscosity, step);
    backend_.upload(here.core_radii, particles.core_radii.data());
    return;
  }
  RedistributionOptions options = options_.redistribution;
  options.symmetry = options_.system.symmetry;
  options.inside = inside_;
  if (wall_ != nullptr) options.wall = wall_->search(wall_distance * options.spacing);
  const RedistributionRecord done = backend_.redistribute(particles, sheet, step, options);
  record_.added += done.added;
  record_.removed += done.removed;
  record_.undiffused = std::max(record_.undiffused, static_cast<double>(done.left_out) /
                                                        static_cast<double>(particles.size()));
}

}  // namespace rankine::bem
