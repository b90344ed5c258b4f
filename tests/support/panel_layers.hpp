// The layers of panels, one operator each.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/far_field_check.hpp"

namespace rankine::testing {

/// Without the near corrections for the linear part of strengths.
struct ConstantNearby : bem::CollocatedPanels {
  using CollocatedPanels::CollocatedPanels;
  std::vector<bem::SparseRows> linear_moments(std::span<const bem::Layer>,
                                              const bem::RowRange&) const override {
    return {};
  }
};

template <class Surface>
struct PanelLayersOf {
  explicit PanelLayersOf(const bem::Panels& panels, const bem::QuadratureOptions& quadrature = {},
                         const fmm::Options& options = {.method = fmm::Method::direct},
                         std::unique_ptr<bem::Backend> made = bem::make_cpu_backend())
      : backend(std::move(made)),
        discretization(panels, quadrature),
        layers(*backend, discretization),
        far(layers, options) {}

  bem::BoundaryOperator of(const bem::Equation& equation) { return {far, equation}; }
  bem::BoundaryOperator of(bem::Layer layer) { return {far, {{{layer}}}}; }

  std::vector<double> apply(const bem::Equation& equation, const std::vector<double>& x) {
    std::vector<double> y(discretization.points().size(), 0.0);
    of(equation).add(1.0, x.data(), y.data());
    return y;
  }
  std::vector<double> apply(bem::Layer layer, const std::vector<double>& x) {
    return apply(bem::Equation{{{layer}}}, x);
  }

  /// Relative error of the sums of a layer for x, at `samples` points.
  double sampled_error(bem::Layer layer, const std::vector<double>& x, int samples) {
    bem::BoundaryOperator op = of(layer);
    bem::FarFieldCheck check(far, {}, samples, {});
    std::vector<double> y(x.size(), 0.0);
    const auto found = check.sampled_add_far(op, 1.0, x.data(), y.data(), 1);
    return check.errors_of(op, x.data(), found).front().relative();
  }

  std::unique_ptr<bem::Backend> backend;
  Surface discretization;
  bem::LayerSet layers;
  bem::FarField far;
};

using PanelLayers = PanelLayersOf<bem::CollocatedPanels>;

}  // namespace rankine::testing
