#include "rankine/bem/electric/charge_errors.hpp"

#include <cmath>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/layers/sampled_layers.hpp"
#include "rankine/bem/panels/panel_fits.hpp"

namespace rankine::bem {

double ChargeErrors::of(std::span<const double> v, std::span<const double> w) const {
  double squares = 0.0;
  for (const std::vector<double>& part : parts) {
    double sum = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < w.size(); ++j) sum += v[i] * part[i * w.size() + j] * w[j];
    }
    squares += sum * sum;
  }
  return std::sqrt(squares);
}

ChargeErrors charge_errors(const Region& region, std::span<const std::int32_t> conductor,
                           const std::vector<std::vector<double>>& total,
                           const std::vector<std::vector<double>>& free, double permittivity,
                           Backend& backend) {
  if (total.empty()) return {};
  // An offset d that vanishes around a panel of the area A has int d^2 <= A / (pi j^2) int |grad
  // d|^2 with j = 2.405, the first zero of J_0: a disc has the most (Faber and Krahn).
  constexpr double offset_of_tilt = 1.0 / (1.7724538509 * 2.4048255577);
  const Panels& panels = region.panels;
  const PanelNeighbourhood neighbourhood(panels);
  std::vector<std::uint8_t> eligible;
  for (const std::int32_t each : conductor) eligible.push_back(each >= 0 ? 1 : 0);
  const std::vector<DrawnPanel> drawn = draw_panels(neighbourhood, eligible, 30);
  std::vector<std::size_t> at, first;
  std::vector<Vec3d> points;
  std::vector<double> weights;
  for (const DrawnPanel& each : drawn) {
    QuadratureNode nodes[2 * middle_nodes_of_triangle];
    const PanelShape<double>& shape = panels.shape[each.panel];
    place_middle_nodes(shape, nodes);
    at.push_back(each.panel);
    first.push_back(points.size());
    for (int k = 0; k < middle_nodes_of_triangle * (shape.corners - 2); ++k) {
      points.push_back(nodes[k].point);
      weights.push_back(nodes[k].weight);
    }
  }
  first.push_back(points.size());
  std::vector<Densities> given;
  for (const std::vector<double>& each : total) given.push_back({each, {}});
  given.push_back({{}, std::vector<double>(panels.size(), 1.0), true});
  const std::vector<double> values = SampledLayers(panels, {}, at, backend, points)(given);

  const std::size_t count = total.size(), rows = at.size() + points.size();
  ChargeErrors errors;
  errors.parts.fill(std::vector<double>(count * count));
  const std::vector<Vec3d> none(panels.size());
  const FittedFields fields{.values = {}, .potential = total.front(), .velocity = none};
  PanelFits fits(panels.size(), fields);
  for (std::size_t m = 0; m < at.size(); ++m) {
    const std::size_t panel = at[m];
    fit_panel(neighbourhood, fields, static_cast<std::int32_t>(panel), fits);
    const double area = panels.area[panel],
                 offset = offset_of_tilt * fits.signs[panel].tilt * std::sqrt(area),
                 gap = region.thin.empty() ? 0.5 - std::abs(values[count * rows + m]) : 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      const double* const potential = &values[j * rows];
      double variation = 0.0;
      for (std::size_t k = first[m]; k < first[m + 1]; ++k)
        variation += weights[k] * (potential[at.size() + k] - potential[m]);
      const double volts = conductor[panel] == static_cast<std::int32_t>(j) ? 1.0 : 0.0;
      const std::array missed{variation / area, offset * total[j][panel], gap * volts};
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t part = 0; part < missed.size(); ++part) {
          errors.parts[part][i * count + j] +=
              permittivity * drawn[m].weight * free[i][panel] * missed[part];
        }
      }
    }
  }
  return errors;
}

}  // namespace rankine::bem
