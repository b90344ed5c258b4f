#include "rankine/bem/layers/panel_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// int int 1/r dA dA of a triangle with itself [EH95].
double own_integral(const PanelShape<double>& shape, double area) {
  std::array<double, 3> side{};
  for (int k = 0; k < 3; ++k)
    side[static_cast<std::size_t>(k)] = norm(shape.corner[(k + 1) % 3] - shape.corner[k]);
  const double half = 0.5 * (side[0] + side[1] + side[2]);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    // half - side, without cancellation for long triangles.
    const double rest = 0.5 * (side[(k + 1) % 3] + side[(k + 2) % 3] - side[k]);
    sum += std::log(half / rest) / side[k];
  }
  return 4.0 / 3.0 * area * area * sum;
}

/// int int 1/r dA dA by closed forms over `whole` at points of `sampled`.
double integral_between(const PanelShape<double>& sampled, double area,
                        const std::vector<TrianglePoint>& rule, const PanelShape<double>& whole) {
  const TrianglePatch<double> triangle = triangle_of(sampled, 0);
  double sum = 0.0;
  for (const TrianglePoint& p : rule) {
    const Vec3d x = triangle.point(p.a, p.b, p.c);
    sum += p.weight * integrate_panel<IntegralSet{.single = true}>(whole, x).single;
  }
  return area * sum;
}

}  // namespace

PanelMeans::PanelMeans(const Panels& panels, const QuadratureOptions& options)
    : panels_(panels), nodes_(place_nodes(panels, options)) {}

SparsityPattern PanelMeans::near_pairs() const {
  const SparsityPattern found = find_near_pairs(panels_.centroid, nodes_.balls);
  std::vector<std::vector<std::int32_t>> rows(panels_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t k = found.offsets[i]; k < found.offsets[i + 1]; ++k) {
      const std::int32_t j = found.columns[static_cast<std::size_t>(k)];
      rows[i].push_back(j);
      rows[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
    }
  }
  SparsityPattern pairs;
  for (std::vector<std::int32_t>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pairs.columns.insert(pairs.columns.end(), row.begin(), row.end());
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

double PanelMeans::correction(std::size_t i, std::size_t j) const {
  static const std::vector<TrianglePoint> few = triangle_rule(3), many = triangle_rule(12);
  double entry = 0.0;
  if (i == j) {
    entry = own_integral(panels_.shape[i], panels_.area[i]);
  } else {
    const bool first_is_smaller =
        panels_.radius[i] < panels_.radius[j] || (panels_.radius[i] == panels_.radius[j] && i < j);
    const std::size_t smaller = first_is_smaller ? i : j, larger = first_is_smaller ? j : i;
    const double apart = norm(panels_.centroid[i] - panels_.centroid[j]);
    const bool close = apart < fitted::beside_panel * (panels_.radius[i] + panels_.radius[j]);
    entry = integral_between(panels_.shape[smaller], panels_.area[smaller], close ? many : few,
                             panels_.shape[larger]);
  }
  for (std::size_t n = nodes_.begin(i); n < nodes_.end(i); ++n) {
    for (std::size_t m = nodes_.begin(j); m < nodes_.end(j); ++m) {
      const double distance = norm(nodes_.points[n] - nodes_.points[m]);
      if (distance > 0.0) entry -= nodes_.weights[n] * nodes_.weights[m] / distance;
    }
  }
  return entry;
}

SparseRows PanelMeans::near_means() const {
  auto pattern = std::make_shared<const SparsityPattern>(near_pairs());
  AlignedVector<double> values(pattern->entries());
  parallel_chunks(pattern->rows(), 64, [&](std::size_t row) {
    for (std::int64_t k = pattern->offsets[row]; k < pattern->offsets[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      values[at] = correction(row, static_cast<std::size_t>(pattern->columns[at]));
    }
  });
  return {panels_.size(), std::move(pattern), std::move(values)};
}

}  // namespace rankine::bem
