#include "rankine/bem/layers/near_matrix.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/pattern_rows.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

std::vector<double> expanded(const Diagonal& diagonal, std::size_t n, double factor) {
  if (diagonal.is_uniform()) return std::vector<double>(n, factor * diagonal.factor);
  std::vector<double> values = diagonal.values;
  for (double& each : values) each *= factor * diagonal.factor;
  return values;
}

}  // namespace

class NearMatrix::RowSum {
 public:
  explicit RowSum(std::size_t unknowns) : sum_(unknowns, 0.0), has_(unknowns, 0) {}

  /// `exact`: the value contains that of points in place of the unknown.
  void add(std::int32_t unknown, double value, bool exact = false) {
    const auto j = static_cast<std::size_t>(unknown);
    if (has_[j] == 0) unknowns_.push_back(unknown);
    has_[j] = std::max<std::uint8_t>(has_[j], exact ? 2 : 1);
    sum_[j] += value;
  }
  /// Calls take(unknown, value, exact), unknowns ascending, and begins a new row.
  template <class Take>
  void take(Take&& take) {
    std::sort(unknowns_.begin(), unknowns_.end());
    for (const std::int32_t unknown : unknowns_) {
      const auto j = static_cast<std::size_t>(unknown);
      take(unknown, sum_[j], has_[j] == 2);
      sum_[j] = 0.0;
      has_[j] = 0;
    }
    unknowns_.clear();
  }

 private:
  std::vector<double> sum_;
  std::vector<std::uint8_t> has_;
  std::vector<std::int32_t> unknowns_;
};

NearMatrix::NearMatrix(LayerSet& layers, const Equation& equation)
    : discretization_(layers.discretization()),
      points_(discretization_.points()),
      normals_(discretization_.point_normals()),
      symmetry_(discretization_.symmetry()),
      nodes_(discretization_.nodes()),
      node_normals_(discretization_.node_normals()),
      first_spread_(discretization_.first_spread_unknown()) {
  const std::size_t n = points_.size();
  if (layers.unknowns() != n) {
    throw InputError("a preconditioner needs as many unknowns as rows, found " +
                     std::to_string(layers.unknowns()) + " and " + std::to_string(n) +
                     "; solve without it");
  }
  SparseRows gradients;
  for (const Term& each : equation.terms) {
    if (each.left.is_zero() || each.right.is_zero()) continue;
    HostTerm& term = terms_.emplace_back(HostTerm{each.layer, expanded(each.left, n, 1.0),
                                                  expanded(each.right, n, inverse_four_pi)});
    term.corrections = layers.near(each.layer).on_host();
    // Sums of linear strengths are wrong at sharp edges without M. Elsewhere patches are better
    // without it, since they cut the rings of panels from which slopes are found.
    SparseMatrix* const moments = first_spread_ < n ? layers.moments(each.layer) : nullptr;
    if (moments != nullptr) {
      term.moments = moments->on_host();
      if (!gradients.pattern) gradients = layers.gradients().on_host();
    }
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
  constexpr std::size_t block = 256;
  struct Rows {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
  };
  std::vector<Rows> blocks((n + block - 1) / block);
  parallel_chunks(
      blocks.size(), 1, [&] { return RowSum(n); },
      [&](std::size_t b, RowSum& sum) {
        Rows& rows = blocks[b];
        for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
          for (int image = 0; image < symmetry_.images(); ++image)
            add_near(i, image, gradients, sum);
          sum.add(static_cast<std::int32_t>(i), jump[i]);
          if (equation.sparse) {
            auto at = static_cast<std::size_t>(equation.sparse->pattern->offsets[i]);
            for (const std::int32_t unknown : row_of(*equation.sparse->pattern, i))
              sum.add(unknown, equation.sparse->values[at++]);
          }
          sum.take([&](std::int32_t unknown, double value, bool exact) {
            // Images that are not near are replaced by points.
            if (!exact) value += far_entry(i, static_cast<std::size_t>(unknown));
            rows.columns.push_back(unknown);
            rows.values.push_back(value);
          });
          offsets_[i + 1] = static_cast<std::int64_t>(rows.columns.size());  // within the block
        }
      });
  for (std::size_t i = 0; i < n; ++i) offsets_[i + 1] += offsets_[i / block * block];
  columns_.resize(static_cast<std::size_t>(offsets_.back()));
  values_.resize(columns_.size());
  parallel_chunks(blocks.size(), 1, [&](std::size_t b) {
    const auto first = static_cast<std::ptrdiff_t>(offsets_[b * block]);
    std::copy(blocks[b].columns.begin(), blocks[b].columns.end(), columns_.begin() + first);
    std::copy(blocks[b].values.begin(), blocks[b].values.end(), values_.begin() + first);
    blocks[b] = {};
  });
  for (HostTerm& term : terms_) term.corrections = term.moments = {};
}

void NearMatrix::add_near(std::size_t row, int image, const SparseRows& gradients,
                          RowSum& sum) const {
  const std::size_t target = static_cast<std::size_t>(image) * points_.size() + row;
  const Vec3d x = discretization_.targets()[target],
              normal = discretization_.target_normals()[target];
  const double sign = symmetry_.sign(image);
  const SparsityPattern& pattern = *terms_.front().corrections.pattern;
  auto at = static_cast<std::size_t>(pattern.offsets[target]);
  for (const std::int32_t column : row_of(pattern, target)) {
    const auto j = static_cast<std::size_t>(column);
    double value = 0.0;
    for (const HostTerm& term : terms_) {
      const double scale = term.left[row] * term.right[j];
      if (scale != 0.0)
        value += scale * (term.corrections.values[at] + of_nodes(term.layer, j, x, normal));
    }
    ++at;
    const bool exact = symmetry_.empty();
    sum.add(column, exact ? value : sign * value - distant_entry(row, j, image), exact);
  }
  for (const HostTerm& term : terms_) {
    if (!term.moments.pattern || term.left[row] == 0.0) continue;
    auto moment = static_cast<std::size_t>(term.moments.pattern->offsets[target]);
    for (const std::int32_t component : row_of(*term.moments.pattern, target)) {
      const double scale = sign * term.left[row] * term.moments.values[moment++];
      const auto g = static_cast<std::size_t>(component);
      auto slope = static_cast<std::size_t>(gradients.pattern->offsets[g]);
      for (const std::int32_t unknown : row_of(*gradients.pattern, g)) {
        sum.add(unknown,
                scale * gradients.values[slope++] * term.right[static_cast<std::size_t>(unknown)]);
      }
    }
  }
}

template <Layer layer>
double NearMatrix::of_nodes(std::size_t unknown, const Vec3d& x, const Vec3d& normal) const {
  double sum = 0.0;
  const double* share = shares_.values.data() + shares_.pattern->offsets[unknown];
  for (const std::int32_t column : row_of(*shares_.pattern, unknown)) {
    const auto node = static_cast<std::size_t>(column);
    sum += *share++ * point_entry<layer>(x - nodes_[node], node_normals_[node], normal);
  }
  return sum;
}

double NearMatrix::of_nodes(Layer layer, std::size_t unknown, const Vec3d& x,
                            const Vec3d& normal) const {
  switch (layer) {
    case Layer::single_layer:
      return of_nodes<Layer::single_layer>(unknown, x, normal);
    case Layer::double_layer:
      return of_nodes<Layer::double_layer>(unknown, x, normal);
    case Layer::adjoint_double_layer:
      return of_nodes<Layer::adjoint_double_layer>(unknown, x, normal);
    case Layer::hypersingular:
      return of_nodes<Layer::hypersingular>(unknown, x, normal);
  }
  return 0.0;
}

double NearMatrix::of_points(std::size_t row, std::size_t unknown, const Vec3d& x,
                             const Vec3d& normal) const {
  double value = 0.0;
  for (const HostTerm& term : terms_) {
    const double scale = term.left[row] * term.right[unknown];
    if (scale == 0.0) continue;
    value += scale * (unknown < first_spread_
                          ? weight_[unknown] * point_entry(term.layer, x - points_[unknown],
                                                           normals_[unknown], normal)
                          : of_nodes(term.layer, unknown, x, normal));
  }
  return value;
}

double NearMatrix::distant_entry(std::size_t row, std::size_t unknown, int image) const {
  if (symmetry_.empty()) return of_points(row, unknown, points_[row], normals_[row]);
  const int inverse = symmetry_.inverse(image);
  return symmetry_.sign(image) * of_points(row, unknown, symmetry_.point(inverse, points_[row]),
                                           symmetry_.vector(inverse, normals_[row]));
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

void NearMatrix::DenseBlocks::write(std::span<const std::int32_t> unknowns, double* entries) {
  const std::size_t size = unknowns.size();
  for (std::size_t k = 0; k < size; ++k)
    place_[static_cast<std::size_t>(unknowns[k])] = static_cast<std::int32_t>(k);
  std::vector<std::uint8_t> is_near(size);
  for (const std::int32_t row : unknowns) {
    std::fill(is_near.begin(), is_near.end(), std::uint8_t{0});
    matrix_.for_each_near(row, [&](std::int32_t unknown, double value) {
      const std::int32_t place = place_[static_cast<std::size_t>(unknown)];
      if (place < 0) return;
      entries[place] = value;
      is_near[static_cast<std::size_t>(place)] = 1;
    });
    for (std::size_t k = 0; k < size; ++k) {
      if (is_near[k] == 0)
        entries[k] =
            matrix_.far_entry(static_cast<std::size_t>(row), static_cast<std::size_t>(unknowns[k]));
    }
    entries += size;
  }
  for (const std::int32_t unknown : unknowns) place_[static_cast<std::size_t>(unknown)] = -1;
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
  constexpr std::size_t sampled = 8, sampled_far = 3;
  parallel_chunks(clusters.size(), 1, [&](std::size_t r) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const double apart = norm(balls[r].centre - balls[c].centre);
      const bool near = apart < 1.5 * (balls[r].radius + balls[c].radius);
      const std::span<const std::int32_t> rows = clusters[r], columns = clusters[c];
      const std::size_t step = (rows.size() - 1) / (near ? sampled : sampled_far) + 1,
                        stride = near ? 1 : (columns.size() - 1) / sampled_far + 1;
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
