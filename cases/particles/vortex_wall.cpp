#include "cases/particles/vortex_wall.hpp"

#include <algorithm>
#include <cmath>

#include "cases/case_constants.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/bem/panels/closest_point.hpp"

namespace rankine::cases {
namespace {

meshes::SurfaceMesh mesh_of(const ParticleCase& given) {
  Case body;
  body.path = given.path;
  body.mesh = given.body->mesh;
  Log log(Log::Level::quiet);
  return load_mesh(body, log).mesh;
}

bem::VortexBodyOptions wall_options(const ParticleCase& given) {
  bem::VortexBodyOptions options;
  options.stream = given.velocity;
  options.solve.gmres.tolerance = given.body->tolerance;
  options.solve.fmm = sum_options(given.fmm, fmm::Kernel::laplace);
  options.sum = sum_options(given.fmm, given.particles.core);
  return options;
}

Vec3d sum_of(const std::vector<Vec3d>& vectors) {
  Vec3d sum{};
  for (const Vec3d& each : vectors) sum += each;
  return sum;
}

/// Over the surface.
double root_mean_square(const bem::Panels& panels, const std::vector<Vec3d>& vectors) {
  double sum = 0.0;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    sum += panels.area[i] * dot(vectors[i], vectors[i]);
  return std::sqrt(sum / bem::total_area(panels));
}

/// to += factor * from.
void add(double factor, const std::vector<Vec3d>& from, std::span<Vec3d> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
}

/// The strengths of a sheet, and what they take from the slip.
struct Sheet {
  std::vector<Vec3d> strengths, change;
};

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

VortexWall::VortexWall(const ParticleCase& given, bem::Backend& backend)
    : mesh_(mesh_of(given)),
      body_(std::make_unique<bem::VortexBody>(
          backend, bem::make_panels(mesh_, bem::PanelGeometry::curved, {}, bem::panel_fit(backend)),
          wall_options(given))),
      sheds_(given.body->sheds),
      viscous_(given.particles.viscosity > 0.0),
      shedding_{.distance = given.body->shedding_distance, .core_radius = given.particles.sigma},
      closest_(fitted::closest_particle * given.body->shedding_distance) {}

bem::VortexParticles VortexWall::shed_into(bem::VortexParticles particles) {
  if (!sheds_) return particles;
  lifted_ += bem::lift(body_->panels(), closest_, particles.positions);
  const Vec3d there = sum_of(particles.strengths);
  if (!total_) total_ = there;
  const std::vector<Vec3d> slip = slip_among(particles);
  slip_ = root_mean_square(body_->panels(), slip);
  if (first_slip_ == 0.0) first_slip_ = slip_;
  const bem::ShedVortices made = bem::shed(body_->panels(), slip, shedding_, *total_ - there);
  correction_ = std::max(correction_, made.correction);
  append_all(particles.positions, made.particles.positions);
  append_all(particles.strengths, made.particles.strengths);
  append_all(particles.core_radii, made.particles.core_radii);
  if (viscous_) complete(std::span(particles.strengths).last(slip.size()), particles);
  return particles;
}

std::vector<Vec3d> VortexWall::slip_among(const bem::VortexParticles& particles) {
  body_->solve(particles);
  return body_->surface_velocity();
}

void VortexWall::complete(std::span<Vec3d> sheet, bem::VortexParticles& particles) {
  const bem::Panels& panels = body_->panels();
  const auto product = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += panels.area[i] * dot(a[i], b[i]);
    return sum;
  };
  std::vector<Vec3d> slip = slip_among(particles);
  std::vector<Sheet> tried;
  while (true) {
    slip_left_ = root_mean_square(panels, slip);
    if (slip_left_ <= fitted::slip_left * first_slip_ || tried.size() == fitted::most_sheets)
      return;
    const std::vector<Vec3d> before(sheet.begin(), sheet.end());
    Sheet next{bem::shed(panels, slip, shedding_).particles.strengths, slip};
    add(1.0, next.strengths, sheet);
    add(-1.0, slip_among(particles), next.change);
    for (const Sheet& each : tried) {
      const double share = product(next.change, each.change) / product(each.change, each.change);
      add(-share, each.strengths, next.strengths);
      add(-share, each.change, next.change);
    }
    const double share = product(slip, next.change) / product(next.change, next.change);
    std::copy(before.begin(), before.end(), sheet.begin());
    add(share, next.strengths, sheet);
    add(-share, next.change, slip);
    tried.push_back(std::move(next));
  }
}

bem::WallSearch VortexWall::search(double reach) const {
  const auto panels = std::make_shared<const bem::ClosestPoints>(
      body_->panels(), std::vector<double>(body_->panels().size(), reach));
  return [panels, closest = closest_](std::span<const Vec3d> points) {
    const std::vector<bem::ClosestPoint> found = panels->of(points);
    std::vector<bem::NearWall> walls(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (found[i].panel < 0) continue;
      const double side = found[i].outside ? 1.0 : -1.0;
      walls[i] = {side * found[i].distance - closest, side * found[i].direction};
    }
    return walls;
  };
}

meshes::Fields VortexWall::surface_fields() {
  const std::vector<Vec3d> velocity = body_->surface_velocity();
  const auto& area = body_->panels().area;
  return {.cell = {{"U", 3, flat(velocity)},
                   speed_of(velocity),
                   {"phi", 1, body_->potential()},
                   {"Area", 1, {area.begin(), area.end()}}},
          .point = {}};
}

std::vector<StateArray> VortexWall::state() const {
  return {{"body", body_->start()},
          state_array("total_vorticity", {total_.value_or(Vec3d{})}),
          {"slip", {first_slip_}}};
}

void VortexWall::start_from(const State& state) {
  body_->start_from(state_values(state, "body"));
  total_ = state_vectors(state, "total_vorticity").front();
  first_slip_ = state_values(state, "slip").front();
}

std::vector<Figure> VortexWall::figures() const {
  const bem::BodyRecord& record = body_->record();
  const double solves = std::max(1, record.solves);
  std::vector<Figure> figures{{"panels", static_cast<double>(body_->panels().size())},
                              {"panel_solves", record.solves},
                              {"panel_solves_not_converged", record.not_converged},
                              {"panel_iterations", record.iterations / solves},
                              {"panel_seconds", record.seconds / solves},
                              {"panel_residual", record.residual},
                              {"net_flux", record.net_flux}};
  if (sheds_) {
    figures.emplace_back("slip", slip_ / first_slip_);
    if (viscous_) figures.emplace_back("slip_left", slip_left_ / first_slip_);
    figures.emplace_back("shed_correction", correction_);
    figures.emplace_back("lifted", static_cast<double>(lifted_));
  }
  return figures;
}

}  // namespace rankine::cases
