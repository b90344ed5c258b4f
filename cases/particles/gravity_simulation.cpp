#include <cmath>
#include <utility>

#include "cases/particles/particle_file.hpp"
#include "cases/particles/particle_memory.hpp"
#include "cases/particles/simulation.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

bem::GravityOptions gravity_options(const ParticleCase& given) {
  const double softening = given.particles.softening;
  bem::GravityOptions options{
      .gravitational_constant = given.gravitational_constant,
      .sum = sum_options(given.fmm, softening > 0.0 ? fmm::Kernel::plummer : fmm::Kernel::laplace)};
  options.sum.softening = softening;
  return options;
}

/// Bodies at rest in a cube about the origin.
bem::Bodies cube(const ParticleInput& input, std::size_t n) {
  bem::Bodies bodies{fmm::make_points("cube", n, static_cast<std::uint64_t>(input.seed)),
                     std::vector<Vec3d>(n),
                     std::vector<double>(n, input.mass / static_cast<double>(n))};
  for (Vec3d& each : bodies.positions) each = input.scale * (each - Vec3d{0.5, 0.5, 0.5});
  return bodies;
}

bem::Bodies bodies_of(const ParticleCase& given) {
  const ParticleInput& input = given.particles;
  const auto n = static_cast<std::size_t>(input.count);
  const auto drawn = [&](auto generate) {
    return generate(n, input.mass, input.scale, given.gravitational_constant,
                    static_cast<std::uint64_t>(input.seed));
  };
  switch (input.generator) {
    case Generator::cube:
      return cube(input, n);
    case Generator::file:
      return read_bodies(input.file);
    case Generator::shell:
      return drawn(bem::orbiting_shell);
    case Generator::expanding:
      return drawn(bem::expanding_ball);
    default:
      return drawn(bem::plummer_sphere);
  }
}

class GravitySimulation final : public Simulation {
 public:
  /// Indices of monitors.
  enum Monitor {
    kinetic,
    potential,
    energy,
    virial,
    momentum,
    angular = momentum + 3,
    centre = angular + 3,
    scale = centre + 3,
    error
  };

  GravitySimulation(const ParticleCase& given, const bem::Bodies& bodies, bem::Backend& backend,
                    const std::vector<Vec3d>& made_at = {})
      : step_(given.time.step),
        gravitational_constant_(given.gravitational_constant),
        probes_(given.output.probes),
        size_(bodies.masses.size()),
        system_(backend, bodies, gravity_options(given), made_at) {}

  std::size_t size() const override { return size_; }
  void advance() override { system_.advance(step_); }
  void renew() override { system_.renew(); }
  const fmm::OperatorInfo& info() const override { return system_.info(); }
  const std::string& refusal() const override { return system_.refusal(); }
  std::size_t size_after(int) const override { return size_; }

  Snapshot observe() override {
    bem::Bodies bodies = system_.bodies();
    std::vector<double> phi = system_.potential();
    const bem::GravityMonitors found = bem::monitor(bodies, phi, gravitational_constant_);
    if (!std::isfinite(found.energy)) throw InputError("the energy is not finite any more");
    Snapshot snapshot;
    snapshot.monitors = {found.kinetic, found.potential, found.energy, found.virial_ratio};
    append(snapshot.monitors, found.momentum);
    append(snapshot.monitors, found.angular_momentum);
    append(snapshot.monitors, found.centre);
    snapshot.monitors.push_back(found.momentum_scale);
    snapshot.monitors.push_back(system_.sum_error());
    for (double& each : phi) each *= -gravitational_constant_;
    snapshot.fields.point = {{"velocity", 3, flat(bodies.velocities)},
                             speed_of(bodies.velocities),
                             {"mass", 1, std::move(bodies.masses)},
                             {"potential", 1, std::move(phi)}};
    snapshot.positions = std::move(bodies.positions);
    snapshot.probes = evaluate_probes(
        probes_, [this](std::span<const Vec3d> points) { return fields_at(points); });
    return snapshot;
  }

  std::vector<std::string> monitor_names() const override {
    return {"kinetic",
            "potential",
            "energy",
            "virial_ratio",
            "momentum_x",
            "momentum_y",
            "momentum_z",
            "angular_momentum_x",
            "angular_momentum_y",
            "angular_momentum_z",
            "centre_x",
            "centre_y",
            "centre_z",
            "momentum_scale",
            sum_error_name};
  }

  std::vector<std::string> headlines() const override { return {"energy_drift", "virial_ratio"}; }

  State state() const override {
    const bem::Bodies bodies = system_.bodies();
    return {state_array("position", bodies.positions),
            state_array("velocity", bodies.velocities),
            {"mass", bodies.masses},
            state_array("made_at", system_.made_at())};
  }

  std::vector<Figure> figures(const std::vector<MonitorRow>& rows, double) const override {
    const std::vector<double>&first = rows.front().values, &last = rows.back().values;
    double worst = 0.0;
    for (const MonitorRow& row : rows)
      worst = std::max(worst, std::abs((row.values[energy] - first[energy]) / first[energy]));
    const auto drift = [&](std::size_t at) {
      return norm(vector_at(last, at) - vector_at(first, at));
    };
    return {{"energy", last[energy]},
            {"energy_drift", worst},
            {"momentum_drift", drift(momentum) / last[scale]},
            {"angular_momentum_drift", drift(angular)},
            {"virial_ratio", last[virial]},
            {sum_error_name, largest(rows, error)}};
  }

 private:
  meshes::Fields fields_at(std::span<const Vec3d> points) const {
    bem::GravityField found = system_.field_at(points);
    return {.cell = {},
            .point = {{"acceleration", 3, flat(found.acceleration)},
                      {"potential", 1, std::move(found.potential)}}};
  }

  double step_, gravitational_constant_;
  std::vector<ProbeInput> probes_;
  std::size_t size_;
  bem::BodySystem system_;
};

}  // namespace

std::unique_ptr<Simulation> begin_gravity(const ParticleCase& given, bem::Backend& backend,
                                          Log& log) {
  const auto require = [&](std::size_t bodies) {
    require_memory(given, bodies, 0, backend.memory_space(), free_memory(backend), log);
  };
  require(expected_particles(given));
  const bem::Bodies bodies = bodies_of(given);
  if (given.particles.generator == Generator::file) require(bodies.masses.size());
  return std::make_unique<GravitySimulation>(given, bodies, backend);
}

std::unique_ptr<Simulation> resume_gravity(const ParticleCase& given, const State& state,
                                           bem::Backend& backend) {
  const bem::Bodies bodies{state_vectors(state, "position"), state_vectors(state, "velocity"),
                           state_values(state, "mass")};
  return std::make_unique<GravitySimulation>(given, bodies, backend,
                                             state_vectors(state, "made_at"));
}

}  // namespace rankine::cases
