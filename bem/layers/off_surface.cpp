#include "rankine/bem/layers/off_surface.hpp"

#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"

namespace rankine::bem {
namespace {

constexpr double quarter_inverse_pi = 0.25 * std::numbers::inv_pi;

/// What the far-field nodes of one panel have contributed for unit strengths.
PanelIntegrals<double> node_sum(const Discretization& d, std::int64_t panel, const Vec3d& x) {
  PanelIntegrals<double> sum;
  for (int k = 0; k < d.nodes; ++k) {
    const auto node = static_cast<std::size_t>(panel * d.nodes + k);
    const Vec3d r = x - d.points[node];
    const double r2 = dot(r, r);
    if (!(r2 > 0.0)) continue;
    const double inverse = 1.0 / std::sqrt(r2), inverse2 = inverse * inverse;
    const double weight = d.weights[node] * inverse;
    const Vec3d& n = d.normals[node];
    const double height = dot(n, r);
    sum.single += weight;
    sum.dbl += weight * inverse2 * height;
    sum.grad_single -= r * (weight * inverse2);
    sum.grad_dbl += (n - r * (3.0 * inverse2 * height)) * (weight * inverse2);
  }
  return sum;
}

}  // namespace

OffSurfaceOperator::OffSurfaceOperator(Backend& backend, const Panels& panels,
                                       std::span<const Vec3d> points, const fmm::Options& options,
                                       const QuadratureOptions& quadrature)
    : backend_(backend),
      panels_(panels),
      points_(points),
      discretization_(discretize(panels, quadrature)) {
  fmm::Options own = options;
  own.gradient = true;
  own.dipoles = true;
  far_ = backend_.make_operator({discretization_.points, points_, discretization_.normals}, own);
  NearPairs pairs = find_near_pairs(points_, panels_.centroid, discretization_.near_radius);
  offsets_ = std::move(pairs.offsets);
  near_ = std::move(pairs.columns);
  weights_ = backend_.allocate(discretization_.weights.size());
  backend_.upload(discretization_.weights, weights_.data());
}

Array OffSurfaceOperator::node_strengths(std::span<const double> strength) {
  assert(strength.size() == panels_.size());
  Array panel_values = backend_.allocate(strength.size()),
        nodes = backend_.allocate(weights_.size());
  backend_.upload(strength, panel_values.data());
  backend_.distribute(strength.size(), discretization_.nodes, panel_values.data(), weights_.data(),
                      nodes.data());
  far_->synchronize();
  return nodes;
}

OffSurfaceValues OffSurfaceOperator::evaluate(const PanelStrengths& strengths) {
  const std::size_t count = points_.size();
  OffSurfaceValues values;
  values.potential.resize(count);
  values.gradient.resize(count);
  if (count == 0 || (strengths.charge.empty() && strengths.doublet.empty())) return values;

  Array charges, doublets;
  fmm::Strengths given;
  if (!strengths.charge.empty()) {
    charges = node_strengths(strengths.charge);
    given.charges = {charges.data(), charges.size()};
  }
  if (!strengths.doublet.empty()) {
    doublets = node_strengths(strengths.doublet);
    given.normal_dipoles = {doublets.data(), doublets.size()};
  }
  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  far_->apply(given,
              {.potential = {potential.data(), count}, .gradient = {gradient.data(), 3 * count}});
  far_->synchronize();
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), {&values.gradient.data()->x, 3 * count});
  add_near(strengths, values);
  for (std::size_t i = 0; i < count; ++i) {
    values.potential[i] *= quarter_inverse_pi;
    values.gradient[i] *= quarter_inverse_pi;
  }
  return values;
}

void OffSurfaceOperator::add_near(const PanelStrengths& strengths, OffSurfaceValues& values) const {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(points_.size()); ++i) {
    for (std::int64_t k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      const std::int32_t j = near_[k];
      const PanelIntegrals<double> exact = integrate_panel<true>(panels_.shape[j], points_[i]);
      const PanelIntegrals<double> counted = node_sum(discretization_, j, points_[i]);
      if (!strengths.charge.empty()) {
        values.potential[i] += strengths.charge[j] * (exact.single - counted.single);
        values.gradient[i] += strengths.charge[j] * (exact.grad_single - counted.grad_single);
      }
      if (!strengths.doublet.empty()) {
        values.potential[i] += strengths.doublet[j] * (exact.dbl - counted.dbl);
        values.gradient[i] += strengths.doublet[j] * (exact.grad_dbl - counted.grad_dbl);
      }
    }
  }
}

std::vector<double> OffSurfaceOperator::winding() {
  const std::size_t count = points_.size();
  std::vector<double> value(count);
  if (count == 0) return value;
  const std::vector<double> ones(panels_.size(), 1.0);
  Array doublets = node_strengths(ones);
  Array potential = backend_.allocate(count);
  far_->apply({.normal_dipoles = {doublets.data(), doublets.size()}},
              {.potential = {potential.data(), count}});
  far_->synchronize();
  backend_.download(potential.data(), value);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
    for (std::int64_t k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      const std::int32_t j = near_[k];
      value[i] +=
          solid_angle(panels_.shape[j], points_[i]) - node_sum(discretization_, j, points_[i]).dbl;
    }
    value[i] *= quarter_inverse_pi;
  }
  return value;
}

}  // namespace rankine::bem
