#include "rankine/bem/particles/vortex_body.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

constexpr double four_pi = 4.0 * std::numbers::pi;

void check(const Panels& panels) {
  if (panels.size() == 0)
    throw InputError("a body has no panels; give a mesh with surface elements");
  require_planes(panels.symmetry, "a body among vortices");
  if (!panels.symmetry.even())
    throw InputError(
        "vortices have no images in planes of zero potential; give symmetry planes the sign 1");
}

/// A point for the mean flux of a panel, and its part of the vector area.
struct FluxPoint {
  Vec3d point, area;
};

std::vector<FluxPoint> flux_points(const PanelShape<double>& shape) {
  static const std::vector<TrianglePoint> rule = triangle_rule(3);
  std::vector<FluxPoint> points;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule)
      points.push_back(
          {triangle.point(p.a, p.b, p.c), p.weight * triangle.vector_area(p.a, p.b, p.c)});
  }
  return points;
}

/// Sums of the single layers of three charges, as vectors. Images in planes normal to an axis
/// reverse the charge of that axis.
template <class Charge>
std::vector<Vec3d> vector_layer(OffSurfaceOperator& at, const Panels& panels, const Charge& of) {
  std::vector<Vec3d> sums;
  std::vector<double> charge(panels.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < charge.size(); ++i) charge[i] = of(i)[axis];
    at.hold({.charge = charge, .doublet = {}});
    const std::vector<double> potential =
        at.evaluate(panels.symmetry.with_sign(axis, -1.0)).potential;
    sums.resize(potential.size());
    for (std::size_t k = 0; k < potential.size(); ++k) sums[k][axis] = potential[k];
  }
  return sums;
}

}  // namespace

VortexBody::Wall::Wall(Backend& backend, std::shared_ptr<const MovingPanels> given)
    : moving(std::move(given)), neighbourhood(moving->panels), swept(moving->panels.size()) {
  const Panels& panels = moving->panels;
  auto pattern = std::make_shared<SparsityPattern>();
  SparseRows mean;
  targets.assign(panels.centroid.begin(), panels.centroid.end());
  for (std::size_t i = 0; i < panels.size(); ++i) {
    for (const FluxPoint& each : flux_points(panels.shape[i])) {
      for (int axis = 0; axis < 3; ++axis) {
        pattern->columns.push_back(static_cast<std::int32_t>(3 * targets.size()) + axis);
        mean.values.push_back(each.area[axis] / panels.area[i]);
      }
      targets.push_back(each.point);
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  targets_there = uploaded(backend, std::span<const Vec3d>(targets));
  mean.columns = 3 * targets.size();
  mean.pattern = std::move(pattern);
  mean_flux = backend.make_sparse(std::move(mean));
  if (moving->motions.empty()) return;
  const std::vector<Vec3d> moments = moments_of_area(panels);
  for (std::size_t i = 0; i < panels.size(); ++i)
    swept[i] = swept_volume(moving->of(i), panels.vector_area[i], moments[i]) / panels.area[i];
}

VortexBody::Equations::Equations(Backend& backend, std::shared_ptr<const MovingPanels> given,
                                 const VortexBodyOptions& options)
    : made_for(std::move(given)),
      discretization(made_for->panels, options.solve.quadrature),
      solver(discretization, formulate(options.solve.formulation, {made_for->panels}, {}), 1,
             options.solve, backend, Uses::many) {}

VortexBody::VortexBody(Backend& backend, Panels panels, const VortexBodyOptions& options)
    : backend_(backend), options_(options) {
  place({std::move(panels)});
  solve(VortexParticles{});
  record_ = {};
}

VortexBody::VortexBody(Backend& backend, std::function<MovingPanels(double)> panels_at,
                       const VortexBodyOptions& options)
    : backend_(backend), options_(options), panels_at_(std::move(panels_at)) {
  place(panels_at_(0.0));
  solve(VortexParticles{});
  record_ = {};
}

/// The old and the new data may not fit into memory together.
void VortexBody::place(MovingPanels moving) {
  check(moving.panels);
  const auto shared = std::make_shared<const MovingPanels>(std::move(moving));
  wall_.reset();
  wall_ = std::make_unique<Wall>(backend_, shared);
  if (equations_ && shared->rigid) return;
  const std::vector<double> unknown = equations_ ? start() : std::vector<double>{};
  equations_.reset();
  equations_ = std::make_unique<Equations>(backend_, shared, options_);
  equations_->targets = wall_->targets;
  start_from(unknown);
}

void VortexBody::move_to(double time) {
  if (!panels_at_ || time == time_) return;
  place(panels_at_(time));
  solution_ = {};
  time_ = time;
  find_turning();
}

void VortexBody::shed_rotation() {
  std::vector<Vec3d> rotation;
  for (const RigidMotion& each : wall_->moving->motions) rotation.push_back(each.angular_velocity);
  if (std::all_of(rotation.begin(), rotation.end(),
                  [](const Vec3d& each) { return each == Vec3d{}; }))
    rotation.clear();
  if (rotation == shed_rotation_) return;  // move_to() has already included it
  shed_rotation_ = std::move(rotation);
  find_turning();
}

void VortexBody::find_turning() {
  wall_->turning.clear();
  if (shed_rotation_.empty()) return;
  if (wall_->moving->rigid && panels().symmetry.empty()) {
    wall_->turning = turned_layer();
    return;
  }
  OffSurfaceOperator at(backend_, panels(), wall_->targets, options_.solve.fmm, near_quadrature());
  wall_->turning = turning_velocity(at);
}

std::vector<Vec3d> VortexBody::turned_layer() {
  const Panels& before = equations_->made_for->panels;
  std::vector<Vec3d>& layer = equations_->layer;
  if (layer.empty()) {
    OffSurfaceOperator at(backend_, before, equations_->targets, options_.solve.fmm,
                          near_quadrature());
    layer = vector_layer(at, before,
                         [&](std::size_t i) { return before.vector_area[i] / before.area[i]; });
  }
  const RigidTurn turn(before.centroid, panels().centroid);
  const Vec3d vorticity = 2.0 * shed_rotation_[static_cast<std::size_t>(wall_->moving->motion[0])];
  std::vector<Vec3d> velocity(layer.size());
  for (std::size_t k = 0; k < layer.size(); ++k) velocity[k] = cross(vorticity, turn(layer[k]));
  return velocity;
}

std::vector<Vec3d> VortexBody::turning_velocity(OffSurfaceOperator& at) const {
  if (shed_rotation_.empty()) return {};
  return vector_layer(at, panels(), [&](std::size_t i) {
    const Vec3d& rotation = shed_rotation_[static_cast<std::size_t>(wall_->moving->motion[i])];
    return 2.0 / panels().area[i] * cross(rotation, panels().vector_area[i]);
  });
}
std::vector<Solid> VortexBody::moving_solids() const {
  const MovingPanels& moving = *wall_->moving;
  if (moving.motions.empty()) return {};
  return solids(moving.panels, moving.motion, moving.motions.size());
}

Vec3d VortexBody::solid_vorticity() const {
  const std::vector<Solid> solids = moving_solids();
  Vec3d sum{};
  for (std::size_t k = 0; k < solids.size(); ++k)
    sum += 2.0 * solids[k].volume * wall_->moving->motions[k].angular_velocity;
  return sum;
}

Vec3d VortexBody::solid_impulse() const {
  const std::vector<Solid> solids = moving_solids();
  Vec3d sum{};
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const RigidMotion& motion = wall_->moving->motions[k];
    const auto& [volume, moment] = solids[k];
    sum += volume * motion.velocity +
           cross(motion.angular_velocity, moment - volume * motion.centre) -
           cross(moment - volume * panels().symmetry.origin(), motion.angular_velocity);
  }
  return sum;
}

void VortexBody::renew(const SumPoints& made_at) {
  const auto& [positions, core_radii] = made_at;
  onset_sum_.reset();
  wall_->at_particles.reset();
  if (panels_at_ || positions.empty()) return;
  onset_sum_ = make_sum(
      backend_,
      {.sources = positions, .targets = wall_->targets, .normals = {}, .core_radii = core_radii},
      options_.sum);
  const auto images = static_cast<std::size_t>(panels().symmetry.images());
  wall_->at_particles = std::make_unique<OffSurfaceOperator>(
      backend_, panels(), std::span(positions).first(positions.size() / images), options_.solve.fmm,
      near_quadrature());
}

void VortexBody::find_onset(const VortexArrays& given) {
  const meshes::Symmetry& symmetry = panels().symmetry;
  VortexArrays images;
  if (!symmetry.empty()) images = with_images(backend_, symmetry, given);
  const VortexArrays& particles = symmetry.empty() ? given : images;
  onset_ = backend_.allocate(3 * wall_->targets.size());
  const fmm::Strengths strengths{.vortices = particles.strengths.all()};
  if (onset_sum_) {
    onset_sum_->move({.sources = as_vectors(particles.positions),
                      .targets = as_vectors(wall_->targets_there),
                      .normals = {},
                      .core_radii = particles.core_radii.all()},
                     backend_.memory_space());
    return onset_sum_->apply(strengths, {.velocity = onset_.all()});
  }
  const std::vector<Vec3d> sources = downloaded_vectors(backend_, particles.positions);
  const std::vector<double> core_radii =
      downloaded(backend_, particles.core_radii, particles.size());
  make_sum(backend_,
           {.sources = sources, .targets = wall_->targets, .normals = {}, .core_radii = core_radii},
           options_.sum)
      ->apply(strengths, {.velocity = onset_.all()});
}

/// A velocity without divergence has no net flux; the computed one is an error of quadrature and
/// sums.
const BodySolve& VortexBody::solve_for_onset() {
  const std::size_t n = panels().size();
  if (!wall_->turning.empty())
    backend_.axpy(onset_.size(), four_pi, uploaded(backend_, wall_->turning).data(), onset_.data());
  Array mean = backend_.allocate(n);
  wall_->mean_flux->add(-1.0 / four_pi, onset_.data(), mean.data());
  flux_ = downloaded(backend_, mean, n);
  double net = 0.0, either = 0.0, area = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    flux_[i] += wall_->swept[i] - dot(options_.stream, panels().vector_area[i]) / panels().area[i];
    net += panels().area[i] * flux_[i];
    either += panels().area[i] * std::abs(flux_[i]);
    area += panels().area[i];
  }
  for (double& each : flux_) each -= net / area;
  const Stopwatch watch;
  solution_ = equations_->solver.solve(flux_);
  last_.gmres = solution_.gmres.front();
  last_.seconds = watch.seconds();
  last_.net_flux = either > 0.0 ? std::abs(net) / either : 0.0;
  take_record();
  return last_;
}

void VortexBody::take_record() {
  ++record_.solves;
  record_.iterations += last_.gmres.iterations;
  record_.not_converged += last_.gmres.status == GmresStatus::converged ? 0 : 1;
  record_.seconds += last_.seconds;
  record_.net_flux = std::max(record_.net_flux, last_.net_flux);
  record_.residual = std::max(record_.residual, last_.gmres.true_residual);
}

const BodySolve& VortexBody::solve(const VortexArrays& particles) {
  find_onset(particles);
  return solve_for_onset();
}

const BodySolve& VortexBody::solve(const VortexParticles& particles) {
  if (particles.positions.empty()) {
    onset_ = backend_.allocate(3 * wall_->targets.size());
    backend_.fill(onset_.size(), 0.0, onset_.data());
    return solve_for_onset();
  }
  return solve(uploaded(backend_, particles));
}

const std::vector<double>& VortexBody::potential() {
  if (!solution_.complete()) equations_->solver.evaluate(solution_);
  return solution_.potential;
}

QuadratureOptions VortexBody::near_quadrature() const {
  QuadratureOptions quadrature = options_.solve.quadrature;
  if (quadrature.tolerance == 0.0)
    quadrature.tolerance = field_quadrature_share * discretization_error_estimate(panels());
  return quadrature;
}

OffSurfaceOperator& VortexBody::sums_at(const Array& points) {
  auto& at = wall_->at_particles;
  if (at)
    at->follow(points);
  else
    at = std::make_unique<OffSurfaceOperator>(backend_, panels(),
                                              downloaded_vectors(backend_, points),
                                              options_.solve.fmm, near_quadrature());
  return *at;
}

void VortexBody::add_to(const VortexArrays& particles, Array& velocity, Array& strength_rate) {
  solve(particles);
  if (after_stage_) std::exchange(after_stage_, nullptr)(downloaded(backend_, particles));
  const std::size_t n = particles.size();
  const double* const sigma = particles.core_radii.data();
  const double* const gamma = particles.strengths.data();
  const bool stretches = strength_rate.size() > 0;
  Array points = backend_.allocate(stretches ? 6 * n : 3 * n);
  if (stretches)
    backend_.each(n, PlaceBeside{n, fitted::stretching_distance, sigma, particles.positions.data(),
                                 gamma, points.data()});
  else
    backend_.copy(3 * n, particles.positions.data(), points.data());
  OffSurfaceOperator& at = sums_at(points);
  Array found = at.gradients({solution_.charge, solution_.doublet});
  const std::vector<Vec3d> turning = turning_velocity(at);
  if (!turning.empty())
    backend_.axpy(found.size(), four_pi, uploaded(backend_, turning).data(), found.data());
  if (stream_.size() != 3 * n) stream_ = uploaded(backend_, std::vector<Vec3d>(n, options_.stream));
  backend_.axpy(velocity.size(), four_pi, stream_.data(), velocity.data());
  if (stretches)
    backend_.each(n, AddMeanAndDerivative{n, fitted::stretching_distance, sigma, gamma,
                                          found.data(), velocity.data(), strength_rate.data()});
  else
    backend_.axpy(velocity.size(), 1.0, found.data(), velocity.data());
}

std::vector<Vec3d> VortexBody::onset() const {
  std::vector<Vec3d> onset = downloaded_vectors(backend_, onset_);
  onset.resize(panels().size());
  for (Vec3d& each : onset) each *= 1.0 / four_pi;
  return onset;
}

SurfaceGradient VortexBody::surface_gradient(std::span<const Vec3d> onset) {
  SurfaceGradient surface = backend_.gradient(wall_->neighbourhood, potential());
  parallel_for(onset.size(), [&](std::size_t i) {
    const Vec3d& normal = surface.normal[i];
    surface.gradient[i] -=
        dot(options_.stream + onset[i] - wall_->moving->velocity(i), normal) * normal;
  });
  return surface;
}

std::vector<Vec3d> VortexBody::surface_velocity() {
  std::vector<Vec3d> velocity = onset();
  const SurfaceGradient surface = surface_gradient(velocity);
  parallel_for(velocity.size(), [&](std::size_t i) {
    velocity[i] += options_.stream + surface.gradient[i] - wall_->moving->velocity(i);
  });
  return velocity;
}

PotentialField VortexBody::perturbation_at(std::span<const Vec3d> points) {
  BoundaryFields fields;
  fields.phi = potential();
  fields.charge = solution_.charge;
  fields.doublet = solution_.doublet;
  fields.gradient = surface_gradient(onset()).gradient;
  const FieldOptions options{.fmm = options_.solve.fmm, .quadrature = options_.solve.quadrature};
  PotentialField found = PotentialEvaluator({panels()}, fields, options, backend_).at(points);
  if (shed_rotation_.empty()) return found;
  OffSurfaceOperator at(backend_, panels(), points, options_.solve.fmm, near_quadrature());
  const std::vector<Vec3d> turning = turning_velocity(at);
  for (std::size_t i = 0; i < turning.size(); ++i) {
    if (found.inside[i] == 0) found.gradient[i] += turning[i];
  }
  return found;
}

}  // namespace rankine::bem
