#include "rankine/bem/layers/local_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/dense_matrix.hpp"
#include "rankine/bem/layers/near_matrix.hpp"
#include "rankine/bem/panels/clusters.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The panels of a cluster, followed by the panels around it that couple with it most.
class Patches {
 public:
  Patches(const NearMatrix& matrix, std::size_t most)
      : matrix_(matrix), most_(most), weight_(matrix.size(), 0.0) {}

  const std::vector<std::int32_t>& around(std::span<const std::int32_t> cluster) {
    patch_.assign(cluster.begin(), cluster.end());
    for (const std::int32_t i : cluster) weight_[static_cast<std::size_t>(i)] = -1.0;
    beside_.clear();
    for (const std::int32_t i : cluster) {
      matrix_.for_each_near(i, [&](std::int32_t j, double value) {
        double& weight = weight_[static_cast<std::size_t>(j)];
        if (weight < 0.0) return;
        if (weight == 0.0) beside_.push_back(j);
        weight = std::max({weight, std::abs(value) / matrix_.weight(j), taken_note});
      });
    }
    const std::size_t room = most_ > patch_.size() ? most_ - patch_.size() : 0;
    const std::size_t taken = std::min(room, beside_.size());
    std::partial_sort(beside_.begin(), beside_.begin() + static_cast<std::ptrdiff_t>(taken),
                      beside_.end(), [&](std::int32_t a, std::int32_t b) {
                        const double wa = weight_[static_cast<std::size_t>(a)],
                                     wb = weight_[static_cast<std::size_t>(b)];
                        return wa != wb ? wa > wb : a < b;
                      });
    for (const std::int32_t j : beside_) weight_[static_cast<std::size_t>(j)] = 0.0;
    for (const std::int32_t i : cluster) weight_[static_cast<std::size_t>(i)] = 0.0;
    patch_.insert(patch_.end(), beside_.begin(),
                  beside_.begin() + static_cast<std::ptrdiff_t>(taken));
    return patch_;
  }

 private:
  /// A positive flag, so that panels with zero coupling (in one plane) are also taken only once.
  static constexpr double taken_note = std::numeric_limits<double>::min();

  const NearMatrix& matrix_;
  std::size_t most_;
  std::vector<double> weight_;
  std::vector<std::int32_t> patch_, beside_;
};

/// M_1.
SparseRows patch_inverse(const NearMatrix& matrix, const LocalInverseOptions& options) {
  const Clusters clusters =
      make_clusters(matrix.points(), static_cast<std::size_t>(options.cluster));
  const std::size_t n = matrix.size();
  std::vector<std::vector<std::int32_t>> patches(clusters.size());
  parallel_chunks(
      clusters.size(), 4,
      [&] {
        return Patches{matrix, static_cast<std::size_t>(options.patch)};
      },
      [&](std::size_t c, Patches& around) { patches[c] = around.around(clusters[c]); });
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(n + 1, 0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const std::int32_t i : clusters[c])
      pattern->offsets[static_cast<std::size_t>(i) + 1] =
          static_cast<std::int64_t>(patches[c].size());
  }
  std::partial_sum(pattern->offsets.begin(), pattern->offsets.end(), pattern->offsets.begin());
  const auto entries = static_cast<std::size_t>(pattern->offsets.back());
  pattern->columns.resize(entries);
  AlignedVector<double> values(entries);
  parallel_chunks(
      clusters.size(), 4, [&] { return NearMatrix::DenseBlocks(matrix); },
      [&](std::size_t c, NearMatrix::DenseBlocks& blocks) {
        const std::size_t size = patches[c].size(), rows = clusters[c].size();
        DenseMatrix dense(size, size);
        blocks.write(patches[c], dense.values.data());
        const DenseMatrix inverse = inverse_rows(dense, rows);
        // A patch may be singular although the whole matrix is not. Then the identity is used for
        // it.
        const bool finite = std::all_of(inverse.values.begin(), inverse.values.end(),
                                        [](double v) { return std::isfinite(v); });
        for (std::size_t k = 0; k < rows; ++k) {
          const auto first = pattern->offsets[static_cast<std::size_t>(clusters[c][k])];
          std::copy(patches[c].begin(), patches[c].end(), pattern->columns.begin() + first);
          for (std::size_t j = 0; j < size; ++j)
            values[static_cast<std::size_t>(first) + j] =
                finite ? inverse(k, j) : static_cast<double>(j == k);
        }
      });
  return {n, std::move(pattern), std::move(values)};
}

/// Z, or W if `mean`: one value for all panels of a cluster.
SparseRows of_clusters(const Clusters& clusters, std::size_t n, bool mean) {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  if (mean) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      for (const std::int32_t i : clusters[c]) {
        pattern->columns.push_back(i);
        values.push_back(1.0 / static_cast<double>(clusters[c].size()));
      }
      pattern->offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
    return {n, std::move(pattern), std::move(values)};
  }
  pattern->columns.resize(n);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const std::int32_t i : clusters[c])
      pattern->columns[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(c);
  }
  pattern->offsets.resize(n + 1);
  std::iota(pattern->offsets.begin(), pattern->offsets.end(), std::int64_t{0});
  values.assign(n, 1.0);
  return {clusters.size(), std::move(pattern), std::move(values)};
}

/// A_c^-1, a dense matrix.
SparseRows coarse_inverse(const NearMatrix& matrix, const Clusters& clusters) {
  const std::size_t size = clusters.size();
  DenseMatrix coarse(size, size);
  matrix.between(clusters, coarse.values.data());
  const std::vector<double> inverse = inverse_rows(coarse, size).values;
  auto pattern = std::make_shared<SparsityPattern>();
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c < size; ++c) pattern->columns.push_back(static_cast<std::int32_t>(c));
    pattern->offsets.push_back(static_cast<std::int64_t>((r + 1) * size));
  }
  return {size, std::move(pattern), {inverse.begin(), inverse.end()}};
}

class LocalInverse final : public LinearOperator {
 public:
  LocalInverse(Backend& backend, std::unique_ptr<SparseMatrix> patches)
      : backend_(backend), fine_(std::move(patches)) {}

  LocalInverse(Backend& backend, const NearMatrix& matrix, const LocalInverseOptions& options)
      : LocalInverse(backend, backend.make_sparse(patch_inverse(matrix, options))) {
    const std::size_t n = matrix.size();
    if (options.coarse <= 1) return;
    const auto most = static_cast<std::size_t>(options.coarse);
    const Clusters clusters = make_clusters(matrix.points(), (n + most - 1) / most);
    spread_ = backend.make_sparse(of_clusters(clusters, n, false));
    mean_ = backend.make_sparse(of_clusters(clusters, n, true));
    coarse_ = backend.make_sparse(coarse_inverse(matrix, clusters));
  }

  std::size_t rows() const override { return fine_->rows(); }
  std::size_t columns() const override { return fine_->columns(); }

  void add(double alpha, const double* x, double* y, int rhs) override {
    if (!coarse_) {
      fine_->add(alpha, x, y, rhs);
      return;
    }
    const std::size_t n = reserve_vectors(rhs);
    mean_->add(1.0, x, means_.data(), rhs);
    backend_.copy(n, x, rest_.data());
    spread_->add(-1.0, means_.data(), rest_.data(), rhs);
    fine_->add(alpha, rest_.data(), y, rhs);
    coarse_->add(1.0, means_.data(), densities_.data(), rhs);
    spread_->add(alpha, densities_.data(), y, rhs);
  }

  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    if (!coarse_) {
      fine_->add_transposed(alpha, x, y, rhs);
      return;
    }
    const std::size_t n = reserve_vectors(rhs);
    fine_->add_transposed(alpha, x, rest_.data(), rhs);
    backend_.axpy(n, 1.0, rest_.data(), y);
    spread_->add_transposed(-1.0, rest_.data(), densities_.data(), rhs);
    spread_->add_transposed(alpha, x, means_.data(), rhs);
    coarse_->add_transposed(1.0, means_.data(), densities_.data(), rhs);
    mean_->add_transposed(1.0, densities_.data(), y, rhs);
  }

 private:
  /// Clears the work vectors of both levels. Returns the size of those on panels.
  std::size_t reserve_vectors(int rhs) {
    const auto several = static_cast<std::size_t>(rhs);
    const std::size_t n = several * rows(), clusters = several * coarse_->rows();
    reserve(rest_, n);
    reserve(means_, clusters);
    reserve(densities_, clusters);
    return n;
  }

  /// Zero-filled.
  void reserve(Array& array, std::size_t size) {
    if (array.size() < size) {
      array = backend_.allocate(size);
    } else {
      backend_.fill(size, 0.0, array.data());
    }
  }

  Backend& backend_;
  std::unique_ptr<SparseMatrix> fine_, spread_, mean_, coarse_;
  Array rest_, means_, densities_;
};

}  // namespace

std::unique_ptr<LinearOperator> local_inverse(LayerSet& layers, const Equation& equation,
                                              const LocalInverseOptions& options) {
  Backend& backend = layers.backend();
  if (options.coarse <= 1) {
    if (auto patches = backend.patch_inverse(layers, equation, options))
      return std::make_unique<LocalInverse>(backend, std::move(patches));
  }
  return std::make_unique<LocalInverse>(backend, NearMatrix(layers, equation), options);
}

}  // namespace rankine::bem
