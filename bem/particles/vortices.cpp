#include "rankine/bem/particles/vortices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <tuple>

#include "rankine/bem/layers/image_arrays.hpp"
#include "rankine/bem/layers/panel_discretization.hpp"
#include "rankine/bem/particles/conserved_moments.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::bem {
namespace {

constexpr double inverse_4_pi = 0.25 / std::numbers::pi;

/// `at`: its time as a fraction of the step.
struct Stage {
  double at, a, b;
};
constexpr std::array midpoint{Stage{0.0, 0.0, 0.5}, Stage{0.5, -0.5, 1.0}};
constexpr std::array williamson{Stage{0.0, 0.0, 1.0 / 3.0},
                                Stage{1.0 / 3.0, -5.0 / 9.0, 15.0 / 16.0},
                                Stage{3.0 / 4.0, -153.0 / 128.0, 8.0 / 15.0}};

std::span<const Stage> stages_of(RungeKutta scheme) {
  if (scheme == RungeKutta::midpoint) return midpoint;
  return williamson;
}

const VortexParticles& checked(const VortexParticles& particles) {
  const std::size_t count = particles.positions.size();
  if (particles.strengths.size() == count && particles.core_radii.size() == count) return particles;
  throw InputError("there are " + std::to_string(particles.strengths.size()) + " strengths and " +
                   std::to_string(particles.core_radii.size()) + " core radii for " +
                   std::to_string(count) + " positions; give one of each per particle");
}

/// Stretching needs gradients of velocities.
fmm::Options sum_of(const VortexOptions& options) {
  fmm::Options sum = options.sum;
  sum.gradient = options.stretching != Stretching::none;
  return sum;
}

/// The curl from du_i/dx_j, nine numbers.
Vec3d curl_of(const double* gradient) {
  return {gradient[7] - gradient[5], gradient[2] - gradient[6], gradient[3] - gradient[1]};
}

/// 4 pi times the curl of a vortex's own u at its position, divided by its strength, for a core
/// radius of 1: 2 f1(0) (fmm/kernels/vortex.hpp). It is proportional to the inverse cube of the
/// radius.
double own_rotation(fmm::Kernel kernel) {
  constexpr double close = 1e-5;
  return fmm::with_kernel<double>({.kernel = kernel}, [&](auto vortex) {
    if constexpr (decltype(vortex)::vortices)
      return 2.0 * vortex.pair(close, 0.0, 0.0, 1.0 / close, 1.0).f1;
    else
      return 0.0;
  });
}

/// Calls `work(point, particle)` for every point that coincides with a particle.
template <class Work>
void for_coincident(std::span<const Vec3d> points, std::span<const Vec3d> particles, Work work) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [](const Vec3d& a, const Vec3d& b) {
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return before(points[a], points[b]); });
  for (std::size_t j = 0; j < particles.size(); ++j) {
    auto at = std::lower_bound(order.begin(), order.end(), particles[j],
                               [&](std::size_t i, const Vec3d& x) { return before(points[i], x); });
    for (; at != order.end() && points[*at] == particles[j]; ++at) work(*at, j);
  }
}

SumPoints points_of(VortexParticles particles) {
  return {std::move(particles.positions), std::move(particles.core_radii)};
}

/// Relative change of the number of particles after which the operator is built again. The best
/// leaf size and orders depend little on this number.
constexpr double most_change = 0.25;

}  // namespace

double core_vorticity(fmm::Kernel kernel, double rho) {
  return kernel == fmm::Kernel::vortex_exponential
             ? 3.0 / (4.0 * std::numbers::pi) * std::exp(-rho * rho * rho)
             : std::pow(2.0 * std::numbers::pi, -1.5) * std::exp(-0.5 * rho * rho);
}

VortexArrays uploaded(Backend& backend, const VortexParticles& particles) {
  return {uploaded(backend, particles.positions), uploaded(backend, particles.strengths),
          uploaded(backend, particles.core_radii)};
}

VortexParticles downloaded(Backend& backend, const VortexArrays& particles) {
  return {downloaded_vectors(backend, particles.positions),
          downloaded_vectors(backend, particles.strengths),
          downloaded(backend, particles.core_radii, particles.size())};
}

VortexParticles with_images(const meshes::Symmetry& symmetry, const VortexParticles& particles) {
  VortexParticles all{images_of_points(symmetry, particles.positions),
                      images_of_vectors(symmetry, particles.strengths),
                      {}};
  const std::size_t n = particles.positions.size();
  for (int image = 0; image < symmetry.images(); ++image) {
    all.core_radii.insert(all.core_radii.end(), particles.core_radii.begin(),
                          particles.core_radii.end());
    for (std::size_t i = 0; symmetry.turns(image) && i < n; ++i)
      all.strengths[static_cast<std::size_t>(image) * n + i] *= -1.0;
  }
  return all;
}

VortexArrays with_images(Backend& backend, const meshes::Symmetry& symmetry,
                         const VortexArrays& particles) {
  const std::size_t n = particles.size(), images = static_cast<std::size_t>(symmetry.images());
  VortexArrays all{images_of_points(backend, symmetry, particles.positions),
                   images_of_pseudovectors(backend, symmetry, particles.strengths),
                   backend.allocate(images * n)};
  for (std::size_t image = 0; image < images; ++image)
    backend.copy(n, particles.core_radii.data(), all.core_radii.data() + image * n);
  return all;
}

Vec3d symmetric_vorticity(const meshes::Symmetry& symmetry, const Vec3d& vorticity) {
  Vec3d sum{};
  for (int image = 0; image < symmetry.images(); ++image)
    sum += (symmetry.turns(image) ? -1.0 : 1.0) * symmetry.vector(image, vorticity);
  return sum / symmetry.images();
}

VortexSystem::VortexSystem(Backend& backend, const VortexParticles& start,
                           const VortexOptions& options, const SumPoints& made_at)
    : backend_(backend),
      options_(options),
      state_(uploaded(backend, checked(start))),
      sum_(backend, sum_of(options),
           made_at.positions.empty() ? points_of(with_images(options.symmetry, start)) : made_at,
           options.symmetry.images()) {
  allocate();
  renew_surroundings();
}

void VortexSystem::renew_surroundings() {
  if (options_.surroundings != nullptr) options_.surroundings->renew(sum_.made_at());
}

const VortexArrays& VortexSystem::sources() {
  if (options_.symmetry.empty()) return state_;
  images_ = with_images(backend_, options_.symmetry, state_);
  return images_;
}

void VortexSystem::allocate() {
  const std::size_t n = state_.size();
  const bool stretches = options_.stretching != Stretching::none;
  for (Array* each : {&position_change_, &strength_change_, &velocity_})
    *each = backend_.allocate(3 * n);
  velocity_gradient_ = backend_.allocate(stretches ? 9 * n : 0);
  strength_rate_ = backend_.allocate(stretches && options_.surroundings != nullptr ? 3 * n : 0);
  if (options_.stream == Vec3d{}) return;
  stream_ = uploaded(backend_, std::vector<Vec3d>(n, options_.stream));
}

void VortexSystem::change(const std::function<void(VortexArrays&)>& work) {
  const std::size_t before = state_.size();
  work(state_);
  if (state_.size() == before) return;
  allocate();
  const double built =
      static_cast<double>(sum_.made_at().positions.size()) / options_.symmetry.images();
  if (std::abs(static_cast<double>(state_.size()) - built) > most_change * built) renew();
}

std::size_t VortexSystem::limit_growth(const Array& before, double step) {
  const double most = 2.0 * most_rotation / (step * core_vorticity(options_.sum.kernel, 0.0));
  return backend_.count(state_.size(), LimitGrowth{most, state_.core_radii.data(), before.data(),
                                                   state_.strengths.data()});
}

void VortexSystem::add_surroundings() {
  if (options_.surroundings == nullptr) return;
  backend_.fill(strength_rate_.size(), 0.0, strength_rate_.data());
  options_.surroundings->add_to(state_, velocity_, strength_rate_);
}

void VortexSystem::sum_here() {
  const VortexArrays& from = sources();
  sum_.move(from.positions, from.core_radii);
  sum_.apply({.vortices = from.strengths.all()},
             {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

double VortexSystem::sum_error() {
  sum_here();
  const VortexArrays& from = sources();
  return sum_.sampled_error(
      from.positions, from.core_radii, {.vortices = from.strengths.all()},
      {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

void VortexSystem::add_alignment(double alpha) {
  Array turns = backend_.allocate(strength_change_.size());
  backend_.each(state_.size(),
                AddAlignment{alpha, velocity_gradient_.data(), own_rotation(options_.sum.kernel),
                             state_.core_radii.data(), state_.strengths.data(), turns.data()});
  conserve_moments(backend_, options_.symmetry, state_.positions, turns);
  backend_.axpy(turns.size(), 1.0, turns.data(), strength_change_.data());
}

Array VortexSystem::own_stretching(double length) {
  Array change = backend_.allocate(velocity_gradient_.size() / 3);
  backend_.each(change.size(), AddTensorProduct{length, velocity_gradient_.data(),
                                                options_.stretching == Stretching::transpose,
                                                state_.strengths.data(), change.data()});
  if (options_.keeps_impulse)
    conserve_moments(backend_, options_.symmetry, state_.positions, change,
                     -length * sum_of_products(backend_, velocity_, state_.strengths));
  return change;
}

void VortexSystem::take_stage(double a, double b, double step) {
  sum_here();
  const std::size_t values = 3 * state_.size();
  const double length = inverse_4_pi * step;
  const Array stretched = own_stretching(length);
  add_surroundings();
  backend_.scale(values, a, position_change_.data());
  backend_.axpy(values, length, velocity_.data(), position_change_.data());
  backend_.axpy(values, b, position_change_.data(), state_.positions.data());
  if (options_.stretching == Stretching::none) return;
  backend_.scale(values, a, strength_change_.data());
  backend_.axpy(values, 1.0, stretched.data(), strength_change_.data());
  backend_.axpy(strength_rate_.size(), length, strength_rate_.data(), strength_change_.data());
  if (options_.relaxation > 0.0) add_alignment(options_.relaxation * length);
  backend_.axpy(values, b, strength_change_.data(), state_.strengths.data());
}

void VortexSystem::advance(double step, double time) {
  for (const auto& [at, a, b] : stages_of(options_.scheme)) {
    if (options_.surroundings != nullptr) options_.surroundings->move_to(time + at * step);
    take_stage(a, b, step);
  }
  if (stream_.size() > 0)
    backend_.axpy(stream_.size(), step, stream_.data(), state_.positions.data());
}

void VortexSystem::renew() {
  const VortexArrays& from = sources();
  sum_.renew(from.positions, from.core_radii);
  renew_surroundings();
}

std::vector<Vec3d> VortexSystem::velocities() {
  const VortexArrays& from = sources();
  sum_.move(from.positions, from.core_radii);
  sum_.apply({.vortices = from.strengths.all()}, {.velocity = velocity_.all()});
  add_surroundings();
  std::vector<Vec3d> velocities = downloaded_vectors(backend_, velocity_);
  for (Vec3d& u : velocities) u = inverse_4_pi * u + options_.stream;
  return velocities;
}

VortexField VortexSystem::field_at(std::span<const Vec3d> points) const {
  const std::size_t n = points.size();
  if (n == 0) return {};
  fmm::Options options = options_.sum;
  options.gradient = true;
  const auto [sources, strengths, core_radii] = with_images(options_.symmetry, particles());
  const auto sum = make_sum(
      backend_, {.sources = sources, .targets = points, .normals = {}, .core_radii = core_radii},
      options);
  Array velocity = backend_.allocate(3 * n), gradient = backend_.allocate(9 * n);
  const Array vortices = uploaded(backend_, strengths);
  sum->apply({.vortices = vortices.all()},
             {.velocity = velocity.all(), .velocity_gradient = gradient.all()});
  const std::vector<double> slopes = downloaded(backend_, gradient, 9 * n);
  VortexField field{downloaded_vectors(backend_, velocity), std::vector<Vec3d>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    field.velocity[i] = inverse_4_pi * field.velocity[i] + options_.stream;
    field.vorticity[i] = inverse_4_pi * curl_of(slopes.data() + 9 * i);
  }
  const double rotation = inverse_4_pi * own_rotation(options_.sum.kernel);
  for_coincident(points, sources,
                 [&, &radii = core_radii, &gamma = strengths](std::size_t i, std::size_t j) {
                   field.vorticity[i] += rotation / (radii[j] * radii[j] * radii[j]) * gamma[j];
                 });
  return field;
}

}  // namespace rankine::bem
