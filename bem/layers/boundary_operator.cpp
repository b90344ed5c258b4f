#include "rankine/bem/layers/boundary_operator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace rankine::bem {
namespace {

constexpr double quarter_inverse_pi = 0.25 * std::numbers::inv_pi;

std::size_t index_of(Layer layer) { return static_cast<std::size_t>(layer); }

std::span<const double> as_doubles(const std::vector<Vec3d>& vectors) {
  return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

}  // namespace

BoundaryOperator::BoundaryOperator(Backend& backend, const Panels& panels,
                                   const Discretization& discretization,
                                   const fmm::Options& options)
    : backend_(backend),
      panels_(panels),
      discretization_(discretization),
      far_(make_far(options)),
      most_rhs_(options.rhs),
      weights_(backend.allocate(discretization.weights.size())) {
  backend_.upload(discretization.weights, weights_.data());
}

std::unique_ptr<fmm::Operator> BoundaryOperator::make_far(const fmm::Options& options) const {
  return backend_.make_operator({discretization_.points, panels_.centroid, discretization_.normals},
                                options);
}

void BoundaryOperator::add_inner_far_field(const fmm::Options& options) {
  inner_far_ = make_far(options);
}

void BoundaryOperator::prepare(Layer layer) {
  std::unique_ptr<NearField>& near = near_[index_of(layer)];
  if (!near) near = backend_.make_near_field(panels_, discretization_, layer);
  reserve(layer, most_rhs_);
}

void BoundaryOperator::reserve(Layer layer, int rhs) {
  const auto grow = [&](Array& array, std::size_t size) {
    const std::size_t wanted = size * static_cast<std::size_t>(rhs);
    if (array.size() >= wanted) return;
    array = {};
    array = backend_.allocate(wanted);
  };
  grow(sources_, weights_.size());
  if (layer == Layer::adjoint_double_layer) {
    grow(gradient_, 3 * size());
  } else {
    grow(potential_, size());
  }
  if (layer == Layer::adjoint_double_layer && normals_.size() == 0) {
    normals_ = backend_.allocate(3 * size());
    backend_.upload(as_doubles(panels_.normal), normals_.data());
  }
}

void BoundaryOperator::release(Layer layer) { near_[index_of(layer)].reset(); }

void BoundaryOperator::apply_far(fmm::Operator& far, Layer layer, const double* x, int rhs) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k) {
    backend_.distribute(size(), discretization_.nodes, x + k * size(), weights_.data(),
                        sources_.data() + k * weights_.size());
  }
  sum_sources(far, layer,
              layer == Layer::adjoint_double_layer ? gradient_.data() : potential_.data(), rhs);
}

void BoundaryOperator::sum_sources(fmm::Operator& far, Layer layer, double* results,
                                   int rhs) const {
  const std::size_t columns = static_cast<std::size_t>(rhs),
                    targets = static_cast<std::size_t>(far.info().targets);
  const std::span<const double> sources{sources_.data(), columns * weights_.size()};
  const std::span<double> potential{results, columns * targets};
  switch (layer) {
    case Layer::single_layer:
      far.apply({.charges = sources}, {.potential = potential}, rhs);
      break;
    case Layer::double_layer:
      far.apply({.normal_dipoles = sources}, {.potential = potential}, rhs);
      break;
    case Layer::adjoint_double_layer:
      far.apply({.charges = sources}, {.gradient = {results, 3 * columns * targets}}, rhs);
      break;
  }
}

void BoundaryOperator::add(Layer layer, double alpha, const double* x, double* y, FarField far,
                           int rhs) {
  prepare(layer);
  reserve(layer, rhs);
  const double factor = alpha * quarter_inverse_pi;
  assert(far == FarField::accurate || inner_far_);
  apply_far(far == FarField::inner ? *inner_far_ : *far_, layer, x, rhs);
  if (layer == Layer::adjoint_double_layer) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k) {
      backend_.add_normal_part(size(), factor, normals_.data(), gradient_.data() + 3 * k * size(),
                               y + k * size());
    }
  } else {
    backend_.axpy(static_cast<std::size_t>(rhs) * size(), factor, potential_.data(), y);
  }
  near_[index_of(layer)]->add(factor, x, y, rhs);
}

std::size_t BoundaryOperator::near_entries(Layer layer) const {
  const auto& near = near_[index_of(layer)];
  return near ? near->entries() : 0;
}

std::size_t BoundaryOperator::near_bytes() const {
  std::size_t bytes = 0;
  for (const auto& near : near_) bytes += near ? near->bytes() : 0;
  return bytes;
}

double BoundaryOperator::sampled_error(Layer layer, const double* x, int samples) {
  const std::size_t n = size();
  if (n == 0 || samples <= 0) return 0.0;
  prepare(layer);
  apply_far(*far_, layer, x, 1);

  const std::size_t count = std::min(n, static_cast<std::size_t>(samples));
  std::vector<Vec3d> targets(count);
  for (std::size_t k = 0; k < count; ++k) targets[k] = panels_.centroid[k * n / count];
  const auto direct = backend_.make_operator(
      {discretization_.points, targets, discretization_.normals}, {.method = fmm::Method::direct});
  const std::size_t width = layer == Layer::adjoint_double_layer ? 3 : 1;
  Array sums = backend_.allocate(width * count);
  sum_sources(*direct, layer, sums.data(), 1);

  std::vector<double> exact(sums.size()), far(width * n);
  backend_.download(sums.data(), exact);
  backend_.download(width == 3 ? gradient_.data() : potential_.data(), far);
  double error = 0.0, total = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double found = far[k / width * n / count * width + k % width];
    error += (found - exact[k]) * (found - exact[k]);
    total += exact[k] * exact[k];
  }
  return total > 0.0 ? std::sqrt(error / total) : std::sqrt(error);
}

}  // namespace rankine::bem
