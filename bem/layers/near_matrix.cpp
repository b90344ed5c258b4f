#include "rankine/bem/layers/near_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The kernel of a layer for a unit charge or dipole at r = x - y.
double point_kernel(Layer layer, const Vec3d& r, const Vec3d& source_normal,
                    const Vec3d& target_normal) {
  PanelIntegrals<double> sum;
  switch (layer) {
    case Layer::single_layer:
      add_point<IntegralSet{.single = true}>(r, source_normal, 1.0, sum);
      return sum.single;
    case Layer::double_layer:
      add_point<IntegralSet{.dbl = true}>(r, source_normal, 1.0, sum);
      return sum.dbl;
    case Layer::adjoint_double_layer:
      add_point<IntegralSet{.grad_single = true}>(r, source_normal, 1.0, sum);
      return dot(target_normal, sum.grad_single);
    case Layer::hypersingular:
      add_point<IntegralSet{.grad_dbl = true}>(r, source_normal, 1.0, sum);
      return dot(target_normal, sum.grad_dbl);
  }
  return 0.0;
}

using Entry = std::pair<std::int32_t, double>;

/// Adds up entries of the same unknown and sorts the unknowns.
void merge(std::vector<Entry>& row) {
  std::sort(row.begin(), row.end());
  std::size_t kept = 0;
  for (const Entry& each : row) {
    if (kept > 0 && row[kept - 1].first == each.first) {
      row[kept - 1].second += each.second;
    } else {
      row[kept++] = each;
    }
  }
  row.resize(kept);
}

std::vector<double> expanded(const Diagonal& diagonal, std::size_t n, double factor) {
  if (diagonal.is_uniform()) return std::vector<double>(n, factor * diagonal.factor);
  std::vector<double> values = diagonal.values;
  for (double& each : values) each *= factor * diagonal.factor;
  return values;
}

}  // namespace

NearMatrix::NearMatrix(LayerSet& layers, const Equation& equation)
    : discretization_(layers.discretization()),
      points_(discretization_.points()),
      normals_(discretization_.point_normals()),
      symmetry_(discretization_.symmetry()) {
  const std::size_t n = points_.size();
  if (layers.unknowns() != n) {
    throw InputError("a preconditioner needs as many unknowns as rows, found " +
                     std::to_string(layers.unknowns()) + " and " + std::to_string(n) +
                     "; solve without it");
  }
  std::vector<SparseRows> corrections;
  for (const Term& term : equation.terms) {
    if (term.left.is_zero() || term.right.is_zero()) continue;
    terms_.push_back(
        {term.layer, expanded(term.left, n, 1.0), expanded(term.right, n, inverse_four_pi)});
    corrections.push_back(layers.near(term.layer).on_host());
  }
  shares_ = transposed(discretization_.strengths().nodes);
  weight_.assign(n, 0.0);
  parallel_for(n, [&](std::size_t j) {
    for (std::int64_t k = shares_.pattern->offsets[j]; k < shares_.pattern->offsets[j + 1]; ++k)
      weight_[j] += shares_.values[static_cast<std::size_t>(k)];
  });
  const std::vector<double> jump = expanded(equation.jump, n, 1.0);
  offsets_.assign(n + 1, 0);
  if (terms_.empty()) return;

  // The rows of a point and its images are added up.
  const SparsityPattern& pattern = *corrections.front().pattern;
  std::vector<std::vector<Entry>> rows(n);
  parallel_chunks(n, 64, [&](std::size_t i) {
    std::vector<Entry>& row = rows[i];
    for (int image = 0; image < symmetry_.images(); ++image) {
      const std::size_t target = static_cast<std::size_t>(image) * n + i;
      const Vec3d x = discretization_.targets()[target],
                  normal = discretization_.target_normals()[target];
      for (std::int64_t k = pattern.offsets[target]; k < pattern.offsets[target + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const std::int32_t column = pattern.columns[at];
        const auto j = static_cast<std::size_t>(column);
        double value = 0.0;
        for (std::size_t t = 0; t < terms_.size(); ++t) {
          const HostTerm& term = terms_[t];
          const double scale = term.left[i] * term.right[j];
          if (scale == 0.0) continue;
          value += scale * (corrections[t].values[at] + of_nodes(term.layer, j, x, normal));
        }
        value *= symmetry_.sign(image);
        if (!symmetry_.empty()) value -= distant_entry(i, j, image);
        row.emplace_back(column, value);
      }
    }
    row.emplace_back(static_cast<std::int32_t>(i), jump[i]);
    if (equation.sparse) {
      const SparsityPattern& given = *equation.sparse->pattern;
      for (std::int64_t k = given.offsets[i]; k < given.offsets[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        row.emplace_back(given.columns[at], equation.sparse->values[at]);
      }
    }
    merge(row);
    // Images that are not near are replaced by points.
    if (!symmetry_.empty()) {
      for (auto& [column, value] : row) value += far_entry(i, static_cast<std::size_t>(column));
    }
    offsets_[i + 1] = static_cast<std::int64_t>(row.size());
  });
  for (std::size_t i = 0; i < n; ++i) offsets_[i + 1] += offsets_[i];
  columns_.resize(static_cast<std::size_t>(offsets_.back()));
  values_.resize(columns_.size());
  parallel_for(n, [&](std::size_t i) {
    auto at = static_cast<std::size_t>(offsets_[i]);
    for (const auto& [column, value] : rows[i]) {
      columns_[at] = column;
      values_[at++] = value;
    }
  });
}

double NearMatrix::of_nodes(Layer layer, std::size_t unknown, const Vec3d& x,
                            const Vec3d& normal) const {
  double sum = 0.0;
  const auto& offsets = shares_.pattern->offsets;
  for (std::int64_t k = offsets[unknown]; k < offsets[unknown + 1]; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto node = static_cast<std::size_t>(shares_.pattern->columns[at]);
    sum += shares_.values[at] * point_kernel(layer, x - discretization_.nodes()[node],
                                             discretization_.node_normals()[node], normal);
  }
  return sum;
}

double NearMatrix::distant_entry(std::size_t row, std::size_t unknown, int image) const {
  const Vec3d x = symmetry_.point(image, points_[row]),
              normal = symmetry_.vector(image, normals_[row]);
  double value = 0.0;
  for (const HostTerm& term : terms_) {
    const double scale = term.left[row] * term.right[unknown];
    if (scale == 0.0) continue;
    value += scale * (unknown < discretization_.first_spread_unknown()
                          ? weight_[unknown] * point_kernel(term.layer, x - points_[unknown],
                                                            normals_[unknown], normal)
                          : of_nodes(term.layer, unknown, x, normal));
  }
  return symmetry_.sign(image) * value;
}

double NearMatrix::far_entry(std::size_t row, std::size_t unknown) const {
  double value = 0.0;
  for (int image = 0; image < symmetry_.images(); ++image)
    value += distant_entry(row, unknown, image);
  return value;
}

double NearMatrix::entry(std::int32_t row, std::int32_t unknown) const {
  const auto r = static_cast<std::size_t>(row);
  const auto begin = columns_.begin() + offsets_[r], end = columns_.begin() + offsets_[r + 1];
  const auto found = std::lower_bound(begin, end, unknown);
  if (found != end && *found == unknown)
    return values_[static_cast<std::size_t>(found - columns_.begin())];
  return far_entry(r, static_cast<std::size_t>(unknown));
}

void NearMatrix::dense(std::span<const std::int32_t> panels, double* entries) const {
  for (const std::int32_t row : panels) {
    for (const std::int32_t unknown : panels) *entries++ = entry(row, unknown);
  }
}

void NearMatrix::between(const Clusters& clusters, double* entries) const {
  struct Ball {
    Vec3d centre{};
    double radius = 0.0;
  };
  std::vector<Ball> balls(clusters.size());
  std::vector<double> weights(clusters.size(), 0.0);
  parallel_for(clusters.size(), [&](std::size_t c) {
    Ball& ball = balls[c];
    for (const std::int32_t i : clusters[c])
      ball.centre += points_[static_cast<std::size_t>(i)] / static_cast<double>(clusters[c].size());
    for (const std::int32_t i : clusters[c]) weights[c] += weight(i);
    for (const std::int32_t i : clusters[c])
      ball.radius = std::max(ball.radius, norm(points_[static_cast<std::size_t>(i)] - ball.centre));
  });
  // A few rows represent a cluster, and a few unknowns represent a far cluster.
  constexpr std::size_t spoken = 8, spoken_far = 3;
  parallel_chunks(clusters.size(), 1, [&](std::size_t r) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const double apart = norm(balls[r].centre - balls[c].centre);
      const bool near = apart < 1.5 * (balls[r].radius + balls[c].radius);
      const std::span<const std::int32_t> rows = clusters[r], columns = clusters[c];
      const std::size_t step = (rows.size() - 1) / (near ? spoken : spoken_far) + 1,
                        stride = near ? 1 : (columns.size() - 1) / spoken_far + 1;
      double sum = 0.0, taken = 0.0;
      std::size_t counted = 0;
      for (std::size_t j = stride / 2; j < columns.size(); j += stride) taken += weight(columns[j]);
      for (std::size_t i = step / 2; i < rows.size(); i += step, ++counted) {
        for (std::size_t j = stride / 2; j < columns.size(); j += stride)
          sum += entry(rows[i], columns[j]);
      }
      entries[r * clusters.size() + c] = sum * weights[c] / (taken * static_cast<double>(counted));
    }
  });
}

}  // namespace rankine::bem
