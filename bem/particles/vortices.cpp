#include "rankine/bem/particles/vortices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <tuple>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::bem {
namespace {

constexpr double inverse_4_pi = 0.25 / std::numbers::pi;

/// `at`: its time, in steps from the beginning.
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

/// 4 pi times the curl of a vortex's own u at its position, divided by its strength: 2 f1(0)
/// (fmm/kernels/vortex.hpp).
double own_rotation(fmm::Kernel kernel, double core_radius) {
  const double close = 1e-5 * core_radius;
  return fmm::with_kernel<double>({.kernel = kernel}, [&](auto vortex) {
    if constexpr (decltype(vortex)::vortices)
      return 2.0 * vortex.pair(close, 0.0, 0.0, 1.0 / close, 1.0 / core_radius).f1;
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

Array own_rotations(Backend& backend, const VortexOptions& options,
                    const std::vector<double>& core_radii) {
  if (options.relaxation == 0.0 || options.stretching == Stretching::none) return {};
  std::vector<double> rotations(core_radii.size());
  parallel_for(rotations.size(), [&](std::size_t i) {
    rotations[i] = own_rotation(options.sum.kernel, core_radii[i]);
  });
  return uploaded(backend, rotations);
}

Array stream_of(Backend& backend, const Vec3d& stream, std::size_t count) {
  if (stream == Vec3d{}) return {};
  return uploaded(backend, std::vector<Vec3d>(count, stream));
}

}  // namespace

double core_vorticity(fmm::Kernel kernel, double rho) {
  return kernel == fmm::Kernel::vortex_exponential
             ? 3.0 / (4.0 * std::numbers::pi) * std::exp(-rho * rho * rho)
             : std::pow(2.0 * std::numbers::pi, -1.5) * std::exp(-0.5 * rho * rho);
}

std::size_t limit_growth(std::span<const Vec3d> before, fmm::Kernel kernel, double step,
                         VortexParticles& particles) {
  const double most = 2.0 * most_rotation / (step * core_vorticity(kernel, 0.0));
  std::size_t limited = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double sigma = particles.core_radii[i],
                 limit = std::max(norm(before[i]), most * sigma * sigma * sigma);
    Vec3d& strength = particles.strengths[i];
    const double size = norm(strength);
    if (size <= limit) continue;
    strength *= limit / size;
    ++limited;
  }
  return limited;
}

VortexSystem::VortexSystem(Backend& backend, const VortexParticles& start,
                           const VortexOptions& options, const std::vector<Vec3d>& made_at)
    : backend_(backend),
      options_(options),
      count_(checked(start).positions.size()),
      positions_(uploaded(backend, start.positions)),
      strengths_(uploaded(backend, start.strengths)),
      position_change_(backend.allocate(3 * count_)),
      strength_change_(backend.allocate(3 * count_)),
      velocity_(backend.allocate(3 * count_)),
      velocity_gradient_(backend.allocate(options.stretching == Stretching::none ? 0 : 9 * count_)),
      strength_rate_(
          backend.allocate(options.surroundings == nullptr ? 0 : velocity_gradient_.size() / 3)),
      stream_(stream_of(backend, options.stream, count_)),
      core_radii_(start.core_radii),
      own_rotation_(own_rotations(backend, options, core_radii_)),
      sum_(backend, sum_of(options), made_at.empty() ? start.positions : made_at, core_radii_) {}

void VortexSystem::add_surroundings() {
  if (options_.surroundings == nullptr) return;
  backend_.fill(strength_rate_.size(), 0.0, strength_rate_.data());
  options_.surroundings->add_to(positions_, strengths_, core_radii_, velocity_, strength_rate_);
}

void VortexSystem::sum_here() {
  sum_.move(positions_);
  sum_.apply({.vortices = strengths_.all()},
             {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

double VortexSystem::sum_error() {
  sum_here();
  return sum_.sampled_error(
      positions_, {.vortices = strengths_.all()},
      {.velocity = velocity_.all(), .velocity_gradient = velocity_gradient_.all()});
}

void VortexSystem::take_stage(double a, double b, double step) {
  sum_here();
  add_surroundings();
  const std::size_t values = 3 * count_;
  const double length = inverse_4_pi * step;
  backend_.scale(values, a, position_change_.data());
  backend_.axpy(values, length, velocity_.data(), position_change_.data());
  backend_.axpy(values, b, position_change_.data(), positions_.data());
  if (options_.stretching == Stretching::none) return;
  backend_.scale(values, a, strength_change_.data());
  backend_.add_tensor_product(count_, length, velocity_gradient_.data(),
                              options_.stretching == Stretching::transpose, strengths_.data(),
                              strength_change_.data());
  backend_.axpy(strength_rate_.size(), length, strength_rate_.data(), strength_change_.data());
  backend_.add_alignment(own_rotation_.size(), options_.relaxation * length,
                         velocity_gradient_.data(), own_rotation_.data(), strengths_.data(),
                         strength_change_.data());
  backend_.axpy(values, b, strength_change_.data(), strengths_.data());
}

void VortexSystem::advance(double step, double time) {
  for (const auto& [at, a, b] : stages_of(options_.scheme)) {
    if (options_.surroundings != nullptr) options_.surroundings->move_to(time + at * step);
    take_stage(a, b, step);
  }
  if (stream_.size() > 0) backend_.axpy(3 * count_, step, stream_.data(), positions_.data());
}

void VortexSystem::renew() { sum_.renew(positions_); }

VortexParticles VortexSystem::particles() const {
  return {downloaded_vectors(backend_, positions_), strengths(), core_radii_};
}

std::vector<Vec3d> VortexSystem::strengths() const {
  return downloaded_vectors(backend_, strengths_);
}

std::vector<Vec3d> VortexSystem::velocities() {
  sum_.move(positions_);
  sum_.apply({.vortices = strengths_.all()}, {.velocity = velocity_.all()});
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
  const std::vector<Vec3d> sources = downloaded_vectors(backend_, positions_);
  const auto sum = make_sum(
      backend_, {.sources = sources, .targets = points, .normals = {}, .core_radii = core_radii_},
      options);
  Array velocity = backend_.allocate(3 * n), gradient = backend_.allocate(9 * n);
  sum->apply({.vortices = strengths_.all()},
             {.velocity = velocity.all(), .velocity_gradient = gradient.all()});
  const std::vector<double> slopes = downloaded(backend_, gradient, 9 * n);
  VortexField field{downloaded_vectors(backend_, velocity), std::vector<Vec3d>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    field.velocity[i] = inverse_4_pi * field.velocity[i] + options_.stream;
    field.vorticity[i] = inverse_4_pi * curl_of(slopes.data() + 9 * i);
  }
  const std::vector<Vec3d> strengths = downloaded_vectors(backend_, strengths_);
  for_coincident(points, sources, [&](std::size_t i, std::size_t j) {
    field.vorticity[i] +=
        inverse_4_pi * own_rotation(options_.sum.kernel, core_radii_[j]) * strengths[j];
  });
  return field;
}

}  // namespace rankine::bem
