#include "rankine/bem/particles/vortex_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/bem/particles/conserved_moments.hpp"
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

std::vector<double> sizes_of(const Panels& panels) {
  std::vector<double> sizes;
  for (const double area : panels.area) sizes.push_back(std::sqrt(area));
  return sizes;
}

/// Lengths of the particles at the start, m: the distance of neighbours, and in the sheet of a
/// wall, which is last, the size of its panels.
std::vector<double> lengths_of(const VortexParticles& particles, const Panels* wall,
                               fmm::Kernel kernel) {
  VortexParticles others = particles;
  std::vector<double> sheet;
  if (wall != nullptr && wall->size() <= particles.positions.size()) sheet = sizes_of(*wall);
  const std::size_t count = particles.positions.size() - sheet.size();
  others.positions.resize(count);
  others.strengths.resize(count);
  others.core_radii.resize(count);
  const double spacing = resolution(others, kernel).spacing;
  std::vector<double> lengths;
  for (const double sigma : others.core_radii)
    lengths.push_back(spacing > 0.0 ? spacing * sigma : std::numeric_limits<double>::infinity());
  lengths.insert(lengths.end(), sheet.begin(), sheet.end());
  return lengths;
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
      system_(backend, start, options.system, made_at) {
  if (options.split_up_to == 0) return;
  follow(start.strengths, start.core_radii,
         lengths_of(start, wall != nullptr ? &wall->panels() : nullptr, options.system.sum.kernel));
}

void VortexFlow::move(double step) {
  system_.advance(step, time_);
  time_ += step;
  if (options_.system.surroundings != nullptr) options_.system.surroundings->move_to(time_);
}

void VortexFlow::advance(double step) {
  if (wall_ == nullptr && options_.viscosity == 0.0) {
    move(step);
    return system_.change([&](VortexArrays& particles) { split_long(particles); });
  }
  Stopwatch watch;
  if (wall_ != nullptr && options_.redistributes) wall_->follow_slip();
  Array before = backend_.allocate(3 * size());
  backend_.copy(before.size(), system_.arrays().strengths.data(), before.data());
  move(step);
  record_.limited += system_.limit_growth(before, step);
  seconds_.motion = watch.lap();
  system_.change([&](VortexArrays& particles) {
    split_long(particles);
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

void VortexFlow::split_long(VortexArrays& particles) {
  if (options_.split_up_to == 0) return;
  SplittingRecord done = backend_.split(
      particles, circulations_,
      {.most = options_.split_up_to, .symmetry = options_.system.symmetry, .inside = inside_});
  split_ = std::move(done.split);
  record_.split += split_.size();
  record_.unsplit = std::max(
      record_.unsplit, static_cast<double>(done.left_out) / static_cast<double>(particles.size()));
}

void VortexFlow::follow(std::span<const Vec3d> strengths, std::span<const double> radii,
                        std::span<const double> lengths) {
  const std::size_t before = circulations_.size();
  Array all = backend_.allocate(before + strengths.size());
  backend_.copy(before, circulations_.data(), all.data());
  backend_.upload(bem::circulations(strengths, radii, lengths), all.data() + before);
  circulations_ = std::move(all);
}

std::vector<double> VortexFlow::circulations() const {
  return downloaded(backend_, circulations_, circulations_.size());
}

void VortexFlow::start_from(const VortexFlowRecord& record, std::span<const double> circulations) {
  record_ = record;
  circulations_ = uploaded(backend_, circulations);
}

Vec3d VortexFlow::impulse_of(const VortexArrays& particles) const {
  const auto& [x, gamma, radii] = particles;
  return 0.5 * (sum_of_products(backend_, x, gamma) -
                cross(options_.system.symmetry.origin(), sum_of(backend_, gamma)));
}

std::size_t VortexFlow::shed_into(VortexArrays& particles) {
  const std::size_t before = particles.size();
  if (wall_ == nullptr) return before;
  const VortexParticles all = wall_->shed_into(downloaded(backend_, particles));
  particles = uploaded(backend_, all);
  if (options_.split_up_to > 0)
    follow(std::span(all.strengths).subspan(before), std::span(all.core_radii).subspan(before),
           sizes_of(wall_->panels()));
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
  if (wall_ != nullptr) {
    options.wall = wall_->search(wall_distance * options.spacing);
    options.wall_within = wall_->within(wall_distance * options.spacing);
  }
  const RedistributionRecord done = backend_.redistribute(particles, sheet, step, options);
  record_.added += done.added;
  record_.removed += done.removed;
  record_.undiffused = std::max(record_.undiffused, static_cast<double>(done.left_out) /
                                                        static_cast<double>(particles.size()));
}

}  // namespace rankine::bem
