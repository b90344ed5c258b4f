#include "rankine/bem/particles/particle_sum.hpp"

#include <utility>

namespace rankine::bem {

std::span<const Vec3d> as_vectors(const Array& array) {
  return {reinterpret_cast<const Vec3d*>(array.data()), array.size() / 3};
}

Array uploaded(Backend& backend, const std::vector<Vec3d>& vectors) {
  return uploaded(backend, as_doubles(std::span(vectors)));
}

std::vector<Vec3d> downloaded_vectors(Backend& backend, const Array& array) {
  std::vector<Vec3d> vectors(array.size() / 3);
  backend.download(array.data(), as_doubles(std::span(vectors)));
  return vectors;
}

ParticleSum::ParticleSum(Backend& backend, const fmm::Options& options,
                         std::vector<Vec3d> positions, const std::vector<double>& core_radii)
    : backend_(backend),
      options_(options),
      made_at_(std::move(positions)),
      core_radii_(core_radii),
      core_radii_there_(uploaded(backend, core_radii)) {
  make();
}

void ParticleSum::make() {
  operator_.reset();  // both at once may not fit into memory
  operator_ = backend_.make_operator(
      {.sources = made_at_, .targets = made_at_, .normals = {}, .core_radii = core_radii_},
      options_);
}

void ParticleSum::renew(const Array& positions) {
  made_at_ = downloaded_vectors(backend_, positions);
  make();
}

void ParticleSum::move(const Array& positions) {
  operator_->move({.sources = as_vectors(positions),
                   .targets = as_vectors(positions),
                   .normals = {},
                   .core_radii = core_radii_there_.all()},
                  backend_.memory_space());
}

void ParticleSum::apply(const fmm::Strengths& strengths, const fmm::Results& results) {
  operator_->apply(strengths, results);
}

}  // namespace rankine::bem
