#include "rankine/bem/layers/off_surface.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include "rankine/bem/layers/point_kernels.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// What the far-field nodes of one panel have contributed for unit strengths.
PanelIntegrals<double> node_sum(const PanelNodes& d, std::int64_t panel, const Vec3d& x) {
  PanelIntegrals<double> sum;
  for (int k = 0; k < d.per_panel; ++k) {
    const auto node = static_cast<std::size_t>(panel * d.per_panel + k);
    add_point<all_integrals>(x - d.points[node], d.normals[node], d.weights[node], sum);
  }
  return sum;
}

FlatPanels discretize(const Backend& backend, const Panels& panels,
                      const QuadratureOptions& quadrature) {
  const ThreadScope threads(backend.threads());
  return FlatPanels(panels, quadrature);
}

}  // namespace

OffSurfaceOperator::OffSurfaceOperator(Backend& backend, const Panels& panels,
                                       std::span<const Vec3d> points, const fmm::Options& options,
                                       const QuadratureOptions& quadrature)
    : backend_(backend),
      panels_(panels),
      points_(points),
      discretization_(discretize(backend, panels, quadrature)) {
  const ThreadScope threads(backend.threads());
  strengths_ = backend.make_sparse(discretization_.strengths());
  near_ = find_near_pairs(points, panels.centroid, discretization_.panel_nodes().near_radius);
  fmm::Options own = options;
  own.gradient = true;
  own.dipoles = true;
  far_ = backend_.make_operator({discretization_.nodes(), points_, discretization_.node_normals()},
                                own);
}

Array OffSurfaceOperator::node_strengths(std::span<const double> strength) {
  assert(strength.empty() || strength.size() == panels_.size());
  if (strength.empty()) return {};
  const Array of_panels = uploaded(backend_, strength);
  Array of_nodes = backend_.allocate(strengths_->rows());
  strengths_->add(1.0, of_panels.data(), of_nodes.data());
  return of_nodes;
}

OffSurfaceValues OffSurfaceOperator::evaluate(const PanelStrengths& strengths) {
  const ThreadScope threads(backend_.threads());
  const std::size_t count = points_.size();
  OffSurfaceValues values;
  values.potential.resize(count);
  values.gradient.resize(count);
  if (count == 0 || (strengths.charge.empty() && strengths.doublet.empty())) return values;

  const Array charges = node_strengths(strengths.charge),
              doublets = node_strengths(strengths.doublet);
  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  far_->apply({.charges = charges.all(), .normal_dipoles = doublets.all()},
              {.potential = potential.all(), .gradient = gradient.all()});
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), as_doubles(std::span(values.gradient)));
  add_near(strengths, values);
  return values;
}

void OffSurfaceOperator::add_near(const PanelStrengths& strengths, OffSurfaceValues& values) const {
  constexpr std::size_t chunk = 64;
  parallel_chunks(points_.size(), chunk, [&](std::size_t i) {
    double& potential = values.potential[i];
    Vec3d& gradient = values.gradient[i];
    for (std::int64_t k = near_.offsets[i]; k < near_.offsets[i + 1]; ++k) {
      const std::int32_t j = near_.columns[k];
      const PanelIntegrals<double> exact =
          integrate_panel<all_integrals>(panels_.shape[j], points_[i]);
      const PanelIntegrals<double> counted = node_sum(discretization_.panel_nodes(), j, points_[i]);
      if (!strengths.charge.empty()) {
        potential += strengths.charge[j] * (exact.single - counted.single);
        gradient += strengths.charge[j] * (exact.grad_single - counted.grad_single);
      }
      if (!strengths.doublet.empty()) {
        potential += strengths.doublet[j] * (exact.dbl - counted.dbl);
        gradient += strengths.doublet[j] * (exact.grad_dbl - counted.grad_dbl);
      }
    }
    potential *= inverse_four_pi;
    gradient *= inverse_four_pi;
  });
}

std::vector<double> OffSurfaceOperator::winding() {
  const ThreadScope threads(backend_.threads());
  const std::size_t count = points_.size();
  std::vector<double> value(count);
  if (count == 0) return value;
  const Array doublets = node_strengths(std::vector<double>(panels_.size(), 1.0));
  Array potential = backend_.allocate(count);
  far_->apply({.normal_dipoles = doublets.all()}, {.potential = potential.all()});
  backend_.download(potential.data(), value);
  constexpr std::size_t chunk = 64;
  parallel_chunks(count, chunk, [&](std::size_t i) {
    for (std::int64_t k = near_.offsets[i]; k < near_.offsets[i + 1]; ++k) {
      const std::int32_t j = near_.columns[k];
      value[i] += solid_angle(panels_.shape[j], points_[i]) -
                  node_sum(discretization_.panel_nodes(), j, points_[i]).dbl;
    }
    value[i] *= inverse_four_pi;
  });
  return value;
}

}  // namespace rankine::bem
