#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/particles/particle_memory.hpp"
#include "cases/particles/simulation.hpp"
#include "cases/particles/vortex_start.hpp"
#include "cases/particles/vortex_wall.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine::cases {
namespace {

/// With a wall, the wall adds the stream and its disturbance.
bem::VortexOptions options_of(const ParticleCase& given, VortexWall* wall) {
  return {.scheme = given.time.scheme == TimeScheme::rk2 ? bem::RungeKutta::midpoint
                                                         : bem::RungeKutta::williamson,
          .stretching = given.time.stretching,
          .relaxation = given.relaxation(),
          .keeps_impulse = wall != nullptr && wall->shedding() != nullptr,
          .stream = wall == nullptr ? given.velocity : Vec3d{},
          .sum = sum_options(given.fmm, given.particles.core),
          .surroundings = wall == nullptr ? nullptr : &wall->body(),
          .symmetry = given.symmetry};
}

/// Options of time steps, with the stream of the wall if there is one.
bem::VortexFlowOptions flow_of(const ParticleCase& given, VortexWall* wall) {
  const ParticleInput& input = given.particles;
  bem::VortexFlowOptions options{
      .system = options_of(given, wall),
      .viscosity = input.viscosity,
      .redistributes = input.redistributes(),
      .split_up_to = given.splits() ? static_cast<std::size_t>(input.most) : 0};
  if (!input.redistributes()) return options;
  options.redistribution = {.viscosity = input.viscosity,
                            .spacing = input.spacing,
                            .core_radius = input.sigma,
                            .smagorinsky = input.smagorinsky,
                            .most = static_cast<std::size_t>(input.most),
                            .stop = Execution::current().stop};
  return options;
}

/// Indices of monitors.
enum Monitor {
  vorticity,
  impulse = 3,
  angular = 6,
  centroid = 9,
  helicity = 12,
  strength,
  fastest,
  error,
  rings
};
constexpr std::size_t values_of_ring = 4;  // centre and radius

class VortexSimulation final : public Simulation {
 public:
  VortexSimulation(const ParticleCase& given, const bem::VortexParticles& particles,
                   bem::Backend& backend, std::unique_ptr<VortexWall> wall,
                   const bem::SumPoints& made_at = {})
      : step_(given.time.step),
        stream_(given.velocity),
        probes_(given.output.probes),
        ring_ends_(ends_of_rings(given.particles)),
        wall_(std::move(wall)),
        flow_(backend, particles, flow_of(given, wall_.get()), shedding(), made_at,
              wall_ ? wall_->body().time() : 0.0) {
    follow_rings();
  }

  std::size_t size() const override { return flow_.size(); }
  void advance() override {
    flow_.advance(step_);
    follow_rings();
  }
  int parts_of_step() const override {
    const bem::VortexFlowOptions& options = flow_.options();
    return options.redistributes ? bem::redistribution_substeps(options.redistribution, step_) : 1;
  }
  void renew() override { system().renew(); }
  const fmm::OperatorInfo& info() const override { return flow_.system().info(); }
  const std::string& refusal() const override { return flow_.system().refusal(); }
  std::size_t size_after(int steps) const override {
    const bem::VortexFlowOptions& options = flow_.options();
    if (options.redistributes) return std::max(size(), options.redistribution.most);
    return size() + (shedding() != nullptr ? wall_->body().panels().size() : 0) *
                        static_cast<std::size_t>(steps);
  }
  const meshes::SurfaceMesh* surface() const override { return wall_ ? &wall_->mesh() : nullptr; }

  Snapshot observe() override {
    bem::VortexParticles particles = system().particles();
    Snapshot snapshot;
    const std::vector<Vec3d> velocities = velocities_now(particles, snapshot);
    const bem::VortexMonitors found =
        bem::monitor(particles, velocities, flow_.options().system.symmetry.origin());
    if (!std::isfinite(found.strength) || !is_finite(found.centroid))
      throw InputError("vorticity is not finite any more");
    for (const Vec3d& each :
         {found.total_vorticity, found.impulse, found.angular_impulse, found.centroid})
      append(snapshot.monitors, each);
    for (const double each : {found.helicity, found.strength, found.fastest, system().sum_error()})
      snapshot.monitors.push_back(each);
    std::size_t begin = 0;
    for (const std::size_t end : ring_ends_) {
      const bem::RingPlace place = bem::ring_place(particles, begin, end);
      append(snapshot.monitors, place.centre);
      snapshot.monitors.push_back(place.radius);
      begin = end;
    }
    if (shedding() != nullptr) {
      append(snapshot.monitors, shedding()->record().impulse);
      append(snapshot.monitors, flow_.record().wall_impulse);
    }
    if (moving()) append(snapshot.monitors, wall_->body().solid_impulse());
    impulse_scale_ = found.impulse_scale;
    resolution_ = bem::resolution(particles, flow_.options().system.sum.kernel);
    snapshot.fields.point = {{"strength", 3, flat(particles.strengths)},
                             {"velocity", 3, flat(velocities)},
                             speed_of(velocities),
                             {"sigma", 1, std::move(particles.core_radii)}};
    snapshot.positions = std::move(particles.positions);
    return snapshot;
  }

  std::vector<std::string> monitor_names() const override {
    std::vector<std::string> names;
    const auto add_vector = [&](const char* vector) {
      for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("{}_{}", vector, axis));
    };
    for (const char* vector : {"total_vorticity", "impulse", "angular_impulse", "centroid"})
      add_vector(vector);
    for (const char* number : {"helicity", "strength", "largest_speed", sum_error_name})
      names.emplace_back(number);
    for (std::size_t k = 1; k <= ring_ends_.size(); ++k) {
      for (const char* what : {"x", "y", "z", "radius"})
        names.push_back(fmt::format("ring_{}_{}", k, what));
    }
    if (shedding() != nullptr) {
      add_vector("shed_impulse");
      add_vector("wall_impulse");
    }
    if (moving()) add_vector("solid_impulse");
    return names;
  }

  State state() const override {
    const bem::VortexParticles particles = system().particles();
    const bem::VortexFlowRecord& record = flow_.record();
    State state{state_array("position", particles.positions),
                state_array("strength", particles.strengths),
                {"sigma", particles.core_radii},
                state_array("made_at", system().made_at().positions),
                {"made_at_sigma", system().made_at().core_radii},
                state_array("wall_impulse", {record.wall_impulse}),
                {"changes",
                 {static_cast<double>(record.limited), static_cast<double>(record.added),
                  static_cast<double>(record.removed), record.undiffused}}};
    if (flow_.options().split_up_to > 0) {
      state.push_back({"circulation", flow_.circulations()});
      state.push_back({"ring_ends", {ring_ends_.begin(), ring_ends_.end()}});
      state.push_back({"splitting", {static_cast<double>(record.split), record.unsplit}});
    }
    if (wall_) {
      for (StateArray& each : wall_->state()) state.push_back(std::move(each));
    }
    return state;
  }

  /// Continues the statistics of the run that wrote the checkpoint.
  void start_from(const State& state) {
    bem::VortexFlowRecord record;
    std::vector<double> circulations;
    if (const auto* const changes = find_values(state, "changes")) {
      record = {.limited = static_cast<std::size_t>(changes->at(0)),
                .added = static_cast<std::size_t>(changes->at(1)),
                .removed = static_cast<std::size_t>(changes->at(2)),
                .undiffused = changes->at(3),
                .wall_impulse = state_vectors(state, "wall_impulse").front()};
    }
    if (flow_.options().split_up_to > 0) {
      circulations = state_values(state, "circulation");
      const std::vector<double>& splitting = state_values(state, "splitting");
      record.split = static_cast<std::size_t>(splitting.at(0));
      record.unsplit = splitting.at(1);
      ring_ends_.clear();
      for (const double end : state_values(state, "ring_ends"))
        ring_ends_.push_back(static_cast<std::size_t>(end));
    }
    flow_.start_from(record, circulations);
  }

  std::vector<Figure> figures(const std::vector<MonitorRow>& rows, double seconds) const override {
    const std::vector<double>&first = rows.front().values, &last = rows.back().values;
    const auto change = [&](std::size_t at) { return vector_at(last, at) - vector_at(first, at); };
    const auto speed = [&](std::size_t at) {
      return seconds > 0.0 ? norm(change(at) * (1.0 / seconds) - stream_) : 0.0;
    };
    const meshes::Symmetry& symmetry = flow_.options().system.symmetry;
    std::vector<Figure> figures{
        {"vorticity_drift",
         norm(bem::symmetric_vorticity(symmetry, change(vorticity))) / last[strength]},
        {"impulse_drift",
         norm(symmetry.common_part(change(impulse))) / norm(vector_at(first, impulse))},
        {"angular_impulse_drift", norm(change(angular))},
        {"helicity", last[helicity]},
        {"stretched", last[strength] / first[strength]},
        {sum_error_name, largest(rows, error)},
        {impulse_change_name, impulse_scale_ > 0.0 ? norm(change(impulse)) / impulse_scale_ : 0.0},
        {spacing_name, resolution_.spacing},
        {rotation_name, step_ * resolution_.rotation}};
    const bem::VortexFlowOptions& options = flow_.options();
    const bem::VortexFlowRecord& record = flow_.record();
    if (shedding() != nullptr || options.viscosity > 0.0)
      figures.emplace_back(limited_name, static_cast<double>(record.limited));
    if (options.split_up_to > 0) {
      figures.emplace_back("split", static_cast<double>(record.split));
      figures.emplace_back(unsplit_name, record.unsplit);
    }
    if (options.redistributes) {
      figures.emplace_back("particles", static_cast<double>(size()));
      figures.emplace_back("added", static_cast<double>(record.added));
      figures.emplace_back("removed", static_cast<double>(record.removed));
      figures.emplace_back(undiffused_name, record.undiffused);
    }
    if (!ring_ends_.empty()) figures.emplace_back("ring_speed", speed(centroid));
    for (std::size_t k = 0; k < ring_ends_.size() && ring_ends_.size() > 1; ++k) {
      const std::size_t at = rings + values_of_ring * k;
      figures.emplace_back(fmt::format("ring_{}_speed", k + 1), speed(at));
      figures.emplace_back(fmt::format("ring_{}_radius", k + 1), last[at + 3]);
    }
    if (wall_) add_wall(rows, figures);
    return figures;
  }

  std::vector<std::string> headlines() const override {
    return {flow_.options().redistributes ? "particles" : "impulse_drift",
            ring_ends_.empty() ? "stretched" : "ring_speed"};
  }

 private:
  bem::SheddingWall* shedding() const { return wall_ ? wall_->shedding() : nullptr; }
  bool moving() const { return wall_ && wall_->moves(); }
  bem::VortexSystem& system() { return flow_.system(); }
  const bem::VortexSystem& system() const { return flow_.system(); }

  /// With redistribution all particles belong to the single ring.
  void follow_rings() {
    if (flow_.options().redistributes && !ring_ends_.empty()) ring_ends_ = {size()};
    const std::vector<std::int32_t>& split = flow_.split();
    for (std::size_t& end : ring_ends_)
      end += static_cast<std::size_t>(
          std::lower_bound(split.begin(), split.end(), static_cast<std::int32_t>(end)) -
          split.begin());
  }

  /// Velocities of the particles; fields on the surface and at probes go into `snapshot`. Does not
  /// affect the next step: the start of the wall's next solve is restored.
  std::vector<Vec3d> velocities_now(const bem::VortexParticles& particles, Snapshot& snapshot) {
    std::vector<double> start;
    if (wall_) start = wall_->body().start();
    std::vector<Vec3d> velocities = system().velocities();
    if (wall_) snapshot.surface = wall_->surface_fields(particles);
    snapshot.probes = evaluate_probes(
        probes_, [this](std::span<const Vec3d> points) { return fields_at(points); });
    if (!wall_) return velocities;
    wall_->body().start_from(start);
    return velocities;
  }

  /// Fields at points; with a wall, from its last solve.
  meshes::Fields fields_at(std::span<const Vec3d> points) {
    bem::VortexField found = system().field_at(points);
    bem::PotentialField around;
    if (wall_) around = wall_->body().perturbation_at(points);
    for (std::size_t i = 0; i < around.inside.size(); ++i) {
      const bool outside = around.inside[i] == 0;
      found.velocity[i] = outside ? found.velocity[i] + stream_ + around.gradient[i] : Vec3d{};
      if (!outside) found.vorticity[i] = {};
    }
    meshes::Fields fields{
        .cell = {},
        .point = {{"U", 3, flat(found.velocity)}, {"vorticity", 3, flat(found.vorticity)}}};
    if (wall_) {
      fields.point.push_back({"phi", 1, std::move(around.phi)});
      flag_inside(fields.point, around.inside);
    }
    return fields;
  }

  /// Adds the force on the bodies for density 1: the loss of impulse between the last two rows plus
  /// the gain of moving bodies (VortexBody::solid_impulse) per time; and the same for the vortex
  /// sheets of these steps, alone and with diffusion. With symmetry planes it is that on the panels
  /// of one side, along the planes; the component normal to them, not determined, is set to 0.
  void add_wall(const std::vector<MonitorRow>& rows, std::vector<Figure>& figures) const {
    for (const Figure& each : wall_->figures()) figures.push_back(each);
    const MonitorRow& last = rows.back();
    const meshes::Symmetry& symmetry = flow_.options().system.symmetry;
    figures.emplace_back("total_vorticity", norm(bem::symmetric_vorticity(
                                                symmetry, vector_at(last.values, vorticity))) /
                                                last.values[strength]);
    if (rows.size() < 2) return;
    const MonitorRow& before = rows[rows.size() - 2];
    const auto change = [&](std::size_t at) {
      return vector_at(last.values, at) - vector_at(before.values, at);
    };
    const std::size_t sheets = rings + values_of_ring * ring_ends_.size(),
                      solids = sheets + (shedding() != nullptr ? 6 : 0);
    const Vec3d gained = moving() ? change(solids) : Vec3d{};
    const auto add_force = [&](const char* name, std::size_t at) {
      const Vec3d force =
          symmetry.common_part(gained - change(at)) / ((last.step - before.step) * step_);
      for (int axis = 0; axis < 3; ++axis)
        figures.emplace_back(fmt::format("{}_{}", name, "xyz"[axis]), force[axis]);
    };
    add_force("force", impulse);
    if (shedding() != nullptr) {
      add_force("shed_force", sheets);
      add_force("wall_force", sheets + 3);
      figures.emplace_back(
          force_difference_name,
          force_difference(rows, impulse, sheets + 3, wall_->resolved(impulse_scale_), symmetry));
    }
  }

  double step_;
  Vec3d stream_;
  std::vector<ProbeInput> probes_;
  bem::VortexResolution resolution_{};  ///< at the last output step
  double impulse_scale_ = 0.0;
  std::vector<std::size_t> ring_ends_;
  std::unique_ptr<VortexWall> wall_;  ///< null without a body
  bem::VortexFlow flow_;
};

std::unique_ptr<VortexWall> wall_of(const ParticleCase& given, bem::Backend& backend) {
  return given.body ? std::make_unique<VortexWall>(given, backend) : nullptr;
}

}  // namespace

std::unique_ptr<Simulation> begin_vortices(const ParticleCase& given, bem::Backend& backend,
                                           Log& log) {
  const auto require = [&](std::size_t particles, std::size_t panels) {
    require_memory(given, particles, panels, backend.memory_space(), free_memory(backend), log);
  };
  const bool mesh_file = given.body && given.body->mesh.shape == Shape::none;
  std::size_t panels = 0;
  if (given.body && !mesh_file) {
    const auto [first, second] = given.body->mesh.panels;
    panels = static_cast<std::size_t>(first) * static_cast<std::size_t>(second.value_or(1));
  }
  require(expected_particles(given), panels);
  bem::VortexParticles particles = particles_of(given);
  std::unique_ptr<VortexWall> wall = wall_of(given, backend);
  check_places(given.symmetry, particles.positions, wall.get(), log);
  if (mesh_file || given.particles.generator == Generator::file)
    require(particles.positions.size(), wall ? wall->body().panels().size() : 0);
  if (wall && wall->shedding() != nullptr)
    particles = wall->shedding()->shed_into(std::move(particles));
  return std::make_unique<VortexSimulation>(given, particles, backend, std::move(wall));
}

std::unique_ptr<Simulation> resume_vortices(const ParticleCase& given, const State& state,
                                            bem::Backend& backend) {
  const bem::VortexParticles particles{state_vectors(state, "position"),
                                       state_vectors(state, "strength"),
                                       state_values(state, "sigma")};
  std::unique_ptr<VortexWall> wall = wall_of(given, backend);
  if (wall) wall->start_from(state);
  auto simulation = std::make_unique<VortexSimulation>(
      given, particles, backend, std::move(wall),
      bem::SumPoints{state_vectors(state, "made_at"), state_values(state, "made_at_sigma")});
  simulation->start_from(state);
  return simulation;
}

}  // namespace rankine::cases
