#include "cases/particles/vortex_wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/solve/load_mesh.hpp"
#include "cases/solve/surface.hpp"

namespace rankine::cases {
namespace {

meshes::SurfaceMesh mesh_of(const ParticleCase& given) {
  Case body;
  body.path = given.path;
  body.mesh = given.body->mesh;
  body.problem.symmetry = given.symmetry;
  body.problem.symmetry_at = given.symmetry_at;
  Log log(Log::Level::quiet);
  return load_mesh(body, log).mesh;
}

/// The panels of bodies at rest are constant.
bem::VortexBody body_of(const WallMotion& motion, bem::Backend& backend,
                        const bem::VortexBodyOptions& options) {
  const auto panels_at = [&motion, fit = bem::panel_fit(backend)](double time) {
    return motion.panels_at(time, fit);
  };
  if (motion.moves()) return {backend, panels_at, options};
  return {backend, panels_at(0.0).panels, options};
}

bem::BodyRecord record_of(const std::vector<double>& solves, double seconds) {
  return {.solves = static_cast<int>(solves.at(0)),
          .iterations = static_cast<int>(solves.at(1)),
          .not_converged = static_cast<int>(solves.at(2)),
          .seconds = seconds,
          .net_flux = solves.at(3),
          .residual = solves.at(4)};
}

bem::VortexBodyOptions wall_options(const ParticleCase& given) {
  bem::VortexBodyOptions options;
  options.stream = given.velocity;
  options.solve.gmres.tolerance = given.body->tolerance;
  options.solve.fmm = sum_options(given.fmm, fmm::Kernel::laplace);
  options.sum = sum_options(given.fmm, given.particles.core);
  return options;
}

void warn_of_inside(const std::vector<Vec3d>& points, bem::VortexBody& body, Log& log) {
  if (points.empty()) return;
  const std::vector<std::uint8_t> inside = body.perturbation_at(points).inside;
  const auto count =
      std::count_if(inside.begin(), inside.end(), [](std::uint8_t each) { return each != 0; });
  if (count == 0) return;
  log.warning(
      fmt::format("{} of {} vortices lie inside a body, where there is no fluid; leave them out",
                  count, points.size()));
}

}  // namespace

VortexWall::VortexWall(const ParticleCase& given, bem::Backend& backend)
    : motion_(given.body->motions, mesh_of(given), given.symmetry),
      mesh_(motion_.mesh_at(0.0)),
      body_(body_of(motion_, backend, wall_options(given))),
      tolerance_(given.body->tolerance) {
  if (!given.body->sheds) return;
  const ParticleInput& input = given.particles;
  if (input.redistributes())
    sheet_spread_ = std::sqrt(2.0 * input.viscosity * given.time.step) / input.spacing;
  shedding_.emplace(body_, bem::SheddingOptions{.distance = given.body->shedding_distance,
                                                .core_radius = given.particles.sigma});
}

meshes::Fields VortexWall::surface_fields(const bem::VortexParticles& particles) {
  if (moves()) mesh_ = motion_.mesh_at(body_.time());
  if (shedding_) slip_left_ = shedding_->slip(particles);
  const std::vector<Vec3d> velocity = body_.surface_velocity();
  const auto& area = body_.panels().area;
  return {.cell = {{"U", 3, flat(velocity)},
                   speed_of(velocity),
                   {"phi", 1, body_.potential()},
                   {"Area", 1, {area.begin(), area.end()}}},
          .point = {}};
}

std::vector<StateArray> VortexWall::state() const {
  const bem::BodyRecord& solves = body_.record();
  std::vector<StateArray> state{
      {"body", body_.start()},
      {"solve_seconds", {solves.seconds}},
      {"solves",
       {static_cast<double>(solves.solves), static_cast<double>(solves.iterations),
        static_cast<double>(solves.not_converged), solves.net_flux, solves.residual}}};
  if (moves()) state.push_back({"time", {body_.time()}});
  if (shedding_) {
    state.push_back(state_array("total_vorticity", {shedding_->total()}));
    const bem::SheddingRecord& shed = shedding_->record();
    state.push_back({"slip", {shed.first_slip}});
    state.push_back(state_array("shed_impulse", {shed.impulse}));
    state.push_back(state_array("slip_left", shedding_->left()));
    state.push_back({"shed", {shed.slip, shed.correction, static_cast<double>(shed.lifted)}});
  }
  return state;
}

void VortexWall::start_from(const State& state) {
  if (moves()) body_.move_to(state_values(state, "time").front());
  body_.start_from(state_values(state, "body"));
  if (const auto* const solves = find_values(state, "solves"))
    body_.start_from(record_of(*solves, state_values(state, "solve_seconds").front()));
  if (!shedding_) return;
  body_.shed_rotation();
  bem::SheddingRecord record{.first_slip = state_values(state, "slip").front(),
                             .impulse = state_vectors(state, "shed_impulse").front()};
  if (const auto* const shed = find_values(state, "shed")) {
    record.slip = shed->at(0);
    record.correction = shed->at(1);
    record.lifted = static_cast<std::size_t>(shed->at(2));
  }
  shedding_->start_from(state_vectors(state, "total_vorticity").front(),
                        state_vectors(state, "slip_left"), record);
}

std::vector<Figure> VortexWall::figures() const {
  const bem::BodyRecord& record = body_.record();
  const double solves = std::max(1, record.solves);
  std::vector<Figure> figures{{"panels", static_cast<double>(body_.panels().size())},
                              {"panel_solves", record.solves},
                              {"panel_solves_not_converged", record.not_converged},
                              {"panel_iterations", record.iterations / solves},
                              {"panel_seconds", record.seconds / solves},
                              {"panel_residual", record.residual},
                              {"net_flux", record.net_flux}};
  if (shedding_) {
    const bem::SheddingRecord& shed = shedding_->record();
    figures.emplace_back("slip", shed.slip / shed.first_slip);
    figures.emplace_back("slip_left", slip_left_.rms / shed.first_slip);
    figures.emplace_back("slip_left_mean", slip_left_.mean / shed.first_slip);
    figures.emplace_back("shed_correction", shed.correction);
    figures.emplace_back("lifted", static_cast<double>(shed.lifted));
    if (sheet_spread_ > 0.0) figures.emplace_back(sheet_spread_name, sheet_spread_);
  }
  return figures;
}

double force_difference(const std::vector<MonitorRow>& rows, std::size_t particles,
                        std::size_t wall, double least, const meshes::Symmetry& symmetry) {
  double difference = 0.0, whole = 0.0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto change = [&](std::size_t at) {
      return symmetry.common_part(vector_at(rows[k].values, at) -
                                  vector_at(rows[k - 1].values, at));
    };
    difference += norm(change(particles) - change(wall));
    whole += std::max(least, norm(change(wall)));
  }
  return whole > 0.0 ? difference / whole : 0.0;
}

void check_places(const meshes::Symmetry& symmetry, std::vector<Vec3d> points, VortexWall* wall,
                  Log& log) {
  if (wall != nullptr) {
    warn_of_inside(points, wall->body(), log);
    const auto& panels = wall->body().panels().centroid;
    points.insert(points.end(), panels.begin(), panels.end());
  }
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
    const auto above = [&](double sign) {
      return std::any_of(points.begin(), points.end(), [&](const Vec3d& x) {
        return sign * (x[plane.axis] - plane.place) > 1e-9 * std::abs(plane.place);
      });
    };
    if (!above(1.0) || !above(-1.0)) continue;
    throw InputError(fmt::format(
        "vortices, or vortices and panels, lie on both sides of the symmetry plane {}; leave out "
        "those of one side, which are images of the others, or the plane",
        meshes::name(plane)));
  }
}

}  // namespace rankine::cases
