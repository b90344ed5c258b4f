#include "rankine/bem/particles/vortex_flow.hpp"

#include <algorithm>
#include <utility>

#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// In spacings, from a wall on which particles diffuse as if there were none.
constexpr double wall_distance = 3.0;

}  // namespace

VortexFlow::VortexFlow(Backend& backend, const VortexParticles& start,
                       const VortexFlowOptions& options, SheddingWall* wall,
                       const std::vector<Vec3d>& made_at, double time)
    : backend_(backend), options_(options), wall_(wall), time_(time) {
  take(start, made_at);
}

void VortexFlow::take(const VortexParticles& particles, const std::vector<Vec3d>& made_at) {
  size_ = particles.positions.size();
  system_.reset();  // both at once may not fit into memory
  system_ = std::make_unique<VortexSystem>(backend_, particles, options_.system, made_at);
}

void VortexFlow::move(double step) {
  system_->advance(step, time_);
  time_ += step;
  if (options_.system.surroundings != nullptr) options_.system.surroundings->move_to(time_);
}

void VortexFlow::advance(double step) {
  if (wall_ == nullptr && options_.viscosity == 0.0) return move(step);
  Stopwatch watch;
  const std::vector<Vec3d> before = system_->strengths();
  move(step);
  VortexParticles particles = system_->particles();
  record_.limited += limit_growth(before, options_.system.sum.kernel, step, particles);
  seconds_.motion = watch.lap();
  if (wall_ != nullptr) particles = wall_->shed_into(std::move(particles));
  seconds_.shedding = watch.lap();
  diffuse(particles, before.size(), step);
  seconds_.diffusion = watch.lap();
  take(particles);
  seconds_.operators = watch.lap();
}

void VortexFlow::diffuse(VortexParticles& particles, std::size_t sheet, double step) {
  if (options_.viscosity == 0.0) return;
  if (!options_.redistributes)
    return spread_cores(particles, options_.system.sum.kernel, options_.viscosity, step);
  RedistributionOptions options = options_.redistribution;
  if (wall_ != nullptr) options.wall = wall_->search(wall_distance * options.spacing);
  const RedistributionRecord done = backend_.redistribute(particles, sheet, step, options);
  record_.added += done.added;
  record_.removed += done.removed;
  record_.undiffused =
      std::max(record_.undiffused, static_cast<double>(done.left_out) /
                                       static_cast<double>(particles.positions.size()));
}

}  // namespace rankine::bem
