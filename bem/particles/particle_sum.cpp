#include "rankine/bem/particles/particle_sum.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/layers/sampled_sums.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/sampled_error.hpp"

namespace rankine::bem {
namespace {

constexpr std::size_t sampled_particles = 50;

std::vector<double> on_host(Backend& backend, std::span<const double> there) {
  std::vector<double> values(there.size());
  if (!values.empty()) backend.download(there.data(), values);
  return values;
}

}  // namespace

std::unique_ptr<fmm::Operator> make_sum(Backend& backend, const fmm::Points& points,
                                        const fmm::Options& options, std::string* refusal) {
  if (refusal != nullptr) refusal->clear();
  try {
    return backend.make_operator(points, options);
  } catch (const InputError& error) {
    if (refusal != nullptr) *refusal = error.what();
    fmm::Options direct = options;
    direct.method = fmm::Method::direct;
    return backend.make_operator(points, direct);
  }
}

ParticleSum::ParticleSum(Backend& backend, const fmm::Options& options, SumPoints points,
                         int images)
    : backend_(backend),
      options_(options),
      made_at_(std::move(points)),
      images_(static_cast<std::size_t>(images)) {
  make();
}

void ParticleSum::make() {
  operator_.reset();  // the old and the new one may not fit into memory together
  const auto& [positions, core_radii] = made_at_;
  operator_ = make_sum(backend_,
                       {.sources = positions,
                        .targets = std::span(positions).first(positions.size() / images_),
                        .normals = {},
                        .core_radii = core_radii},
                       options_, &refusal_);
}

void ParticleSum::renew(const Array& positions, const Array& core_radii) {
  made_at_ = {downloaded_vectors(backend_, positions), on_host(backend_, core_radii.all())};
  make();
}

void ParticleSum::move(const Array& positions, const Array& core_radii) {
  const auto all = as_vectors(positions);
  operator_->move({.sources = all,
                   .targets = all.first(all.size() / images_),
                   .normals = {},
                   .core_radii = core_radii.all()},
                  backend_.memory_space());
}

void ParticleSum::apply(const fmm::Strengths& strengths, const fmm::Results& results) {
  operator_->apply(strengths, results);
}

double ParticleSum::sampled_error(const Array& positions, const Array& core_radii,
                                  const fmm::Strengths& strengths,
                                  const fmm::Results& results) const {
  if (info().method == fmm::Method::direct) return 0.0;
  const std::vector<Vec3d> points = downloaded_vectors(backend_, positions);
  const std::vector<double> charges = on_host(backend_, strengths.charges),
                            vortices = on_host(backend_, strengths.vortices),
                            radii = on_host(backend_, core_radii.all());
  std::vector<double> potential = on_host(backend_, results.potential),
                      gradient = on_host(backend_, results.gradient),
                      velocity = on_host(backend_, results.velocity),
                      velocity_gradient = on_host(backend_, results.velocity_gradient);
  const auto targets = std::span(points).first(points.size() / images_);
  return fmm::sampled_errors({.sources = points, .targets = targets, .core_radii = radii}, options_,
                             {.charges = charges, .vortices = vortices},
                             {.potential = potential,
                              .gradient = gradient,
                              .velocity = velocity,
                              .velocity_gradient = velocity_gradient},
                             sample(targets.size(), std::min(targets.size(), sampled_particles)))
      .largest();
}

}  // namespace rankine::bem
