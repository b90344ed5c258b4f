#include "cases/particles/vortex_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/particles/particle_file.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

bem::VortexOptions options_of(const ParticleCase& given) {
  return {.scheme = given.time.scheme == TimeScheme::rk2 ? bem::RungeKutta::midpoint
                                                         : bem::RungeKutta::williamson,
          .stretching = given.time.stretching,
          .stream = given.velocity,
          .sum = sum_options(given.fmm, given.particles.core)};
}

/// Strengths uniform in a cube of edge 2/n, positions in one of edge `scale` about the origin.
bem::VortexParticles cube(const ParticleInput& input) {
  const auto n = static_cast<std::size_t>(input.count);
  const auto seed = static_cast<std::uint64_t>(input.seed);
  bem::VortexParticles particles{fmm::make_points("cube", n, seed), std::vector<Vec3d>(n),
                                 std::vector<double>(n, input.sigma)};
  for (Vec3d& each : particles.positions) each = input.scale * (each - Vec3d{0.5, 0.5, 0.5});
  const std::vector<double> strengths = fmm::make_strengths(3 * n, seed + 1);
  for (std::size_t i = 0; i < n; ++i)
    particles.strengths[i] = vector_at(strengths, 3 * i) / static_cast<double>(n);
  return particles;
}

bem::VortexParticles particles_of(const ParticleCase& given) {
  const ParticleInput& input = given.particles;
  switch (input.generator) {
    case Generator::cube:
      return cube(input);
    case Generator::file:
      return read_vortices(input.file, input.sigma);
    default:
      return bem::vortex_rings(input.rings, static_cast<std::size_t>(input.count), input.sigma,
                               input.core);
  }
}

/// Where the particles of each ring end; none without rings.
std::vector<std::size_t> ends_of_rings(const ParticleInput& input) {
  std::vector<std::size_t> ends;
  if (input.generator != Generator::ring) return ends;
  for (const bem::VortexRing& ring : input.rings) {
    const std::size_t begin = ends.empty() ? 0 : ends.back();
    ends.push_back(begin + bem::particles_of(ring, static_cast<std::size_t>(input.count),
                                             input.sigma, input.core));
  }
  return ends;
}

/// Places of monitors.
enum Monitor {
  vorticity,
  impulse = 3,
  angular = 6,
  centroid = 9,
  helicity = 12,
  strength,
  fastest,
  rings
};
constexpr std::size_t values_of_ring = 4;  // centre and radius

class VortexSimulation final : public Simulation {
 public:
  VortexSimulation(const ParticleCase& given, const bem::VortexParticles& particles,
                   bem::Backend& backend, const std::vector<Vec3d>& made_at = {})
      : step_(given.time.step),
        stream_(given.velocity),
        size_(particles.positions.size()),
        ring_ends_(ends_of_rings(given.particles)),
        system_(backend, particles, options_of(given), made_at) {}

  std::size_t size() const override { return size_; }
  void advance() override { system_.advance(step_); }
  void renew() override { system_.renew(); }
  const fmm::OperatorInfo& info() const override { return system_.info(); }

  Snapshot observe() override {
    bem::VortexParticles particles = system_.particles();
    const std::vector<Vec3d> velocities = system_.velocities();
    const bem::VortexMonitors found = bem::monitor(particles, velocities);
    if (!std::isfinite(found.strength) || !is_finite(found.centroid))
      throw InputError("vorticity is not finite any more");
    Snapshot snapshot;
    for (const Vec3d& each :
         {found.total_vorticity, found.impulse, found.angular_impulse, found.centroid})
      append(snapshot.monitors, each);
    for (const double each : {found.helicity, found.strength, found.fastest})
      snapshot.monitors.push_back(each);
    std::size_t begin = 0;
    for (const std::size_t end : ring_ends_) {
      const bem::RingPlace place = bem::ring_place(particles, begin, end);
      append(snapshot.monitors, place.centre);
      snapshot.monitors.push_back(place.radius);
      begin = end;
    }
    std::vector<double> speeds;
    for (const Vec3d& u : velocities) speeds.push_back(norm(u));
    snapshot.fields.point = {{"strength", 3, state_array({}, particles.strengths).values},
                             {"velocity", 3, state_array({}, velocities).values},
                             {"speed", 1, std::move(speeds)},
                             {"sigma", 1, std::move(particles.core_radii)}};
    snapshot.positions = std::move(particles.positions);
    return snapshot;
  }

  std::vector<std::string> monitor_names() const override {
    std::vector<std::string> names;
    for (const char* vector : {"total_vorticity", "impulse", "angular_impulse", "centroid"}) {
      for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("{}_{}", vector, axis));
    }
    for (const char* number : {"helicity", "strength", "largest_speed"}) names.emplace_back(number);
    for (std::size_t k = 1; k <= ring_ends_.size(); ++k) {
      for (const char* what : {"x", "y", "z", "radius"})
        names.push_back(fmt::format("ring_{}_{}", k, what));
    }
    return names;
  }

  State state() const override {
    const bem::VortexParticles particles = system_.particles();
    return {state_array("position", particles.positions),
            state_array("strength", particles.strengths),
            {"sigma", particles.core_radii},
            state_array("made_at", system_.made_at())};
  }

  std::vector<Figure> figures(const std::vector<MonitorRow>& rows, double seconds) const override {
    const std::vector<double>&first = rows.front().values, &last = rows.back().values;
    const auto change = [&](std::size_t at) { return vector_at(last, at) - vector_at(first, at); };
    const auto speed = [&](std::size_t at) {
      return seconds > 0.0 ? norm(change(at) * (1.0 / seconds) - stream_) : 0.0;
    };
    std::vector<Figure> figures{
        {"vorticity_drift", norm(change(vorticity)) / last[strength]},
        {"impulse_drift", norm(change(impulse)) / norm(vector_at(first, impulse))},
        {"angular_impulse_drift", norm(change(angular))},
        {"helicity", last[helicity]},
        {"stretched", last[strength] / first[strength]}};
    if (!ring_ends_.empty()) figures.emplace_back("ring_speed", speed(centroid));
    for (std::size_t k = 0; k < ring_ends_.size() && ring_ends_.size() > 1; ++k) {
      const std::size_t at = rings + values_of_ring * k;
      figures.emplace_back(fmt::format("ring_{}_speed", k + 1), speed(at));
      figures.emplace_back(fmt::format("ring_{}_radius", k + 1), last[at + 3]);
    }
    return figures;
  }

  std::vector<std::string> headlines() const override {
    return {"impulse_drift", ring_ends_.empty() ? "stretched" : "ring_speed"};
  }

 private:
  double step_;
  Vec3d stream_;
  std::size_t size_;
  std::vector<std::size_t> ring_ends_;
  bem::VortexSystem system_;
};

}  // namespace

std::unique_ptr<Simulation> begin_vortices(const ParticleCase& given, bem::Backend& backend) {
  return std::make_unique<VortexSimulation>(given, particles_of(given), backend);
}

std::unique_ptr<Simulation> resume_vortices(const ParticleCase& given, const State& state,
                                            bem::Backend& backend) {
  const bem::VortexParticles particles{state_vectors(state, "position"),
                                       state_vectors(state, "strength"),
                                       state_values(state, "sigma")};
  return std::make_unique<VortexSimulation>(given, particles, backend,
                                            state_vectors(state, "made_at"));
}

}  // namespace rankine::cases
