#include "rankine/bem/layers/sampled_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>

#include "rankine/bem/bem_constants.hpp"

namespace rankine::bem {
namespace {

/// sum_g s_g R_g of potentials or gradients, `width` numbers each, at the images of a point, which
/// are `stride` targets apart.
std::array<double, 3> of_images(const meshes::Symmetry& symmetry, const double* values,
                                std::size_t stride, std::size_t width) {
  std::array<double, 3> sum{};
  for (int image = 0; image < symmetry.images(); ++image, values += stride * width) {
    Vec3d v{values[0], width == 3 ? values[1] : 0.0, width == 3 ? values[2] : 0.0};
    if (width == 3) v = symmetry.vector(image, v);
    for (int c = 0; c < 3; ++c) sum[static_cast<std::size_t>(c)] += symmetry.sign(image) * v[c];
  }
  return sum;
}

}  // namespace

double SampledError::relative(double squares) const {
  return std::sqrt(total > 0.0 ? squares / total : squares);
}

double SampledError::likely_bound() const { return relative(error + 3.0 * std::sqrt(variance)); }

SampledError& SampledError::operator+=(const SampledError& other) {
  error += other.error;
  total += other.total;
  variance += other.variance;
  return *this;
}

void PointErrors::add(double error2, double value2) {
  error_ += error2;
  total_ += value2;
  fourth_powers_ += error2 * error2;
  ++count_;
}

SampledError PointErrors::sum(std::size_t all) const {
  const auto count = static_cast<double>(count_);
  const double missing = 1.0 - count / static_cast<double>(all);
  return {error_, total_, missing * std::max(0.0, fourth_powers_ - error_ * error_ / count)};
}

std::vector<std::size_t> sample(std::size_t n, std::size_t count) {
  std::mt19937_64 chance;
  std::vector<std::size_t> chosen(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = k * n / count, end = (k + 1) * n / count;
    chosen[k] = first + static_cast<std::size_t>(chance() % (end - first));
  }
  return chosen;
}

std::size_t sample_count(double tolerance) {
  const double digits = -std::log10(tolerance);
  return static_cast<std::size_t>(
      std::max(fitted::least_samples, fitted::samples_per_digit3 * digits * digits * digits));
}

fmm::Options direct_options(std::size_t sources, std::size_t targets, int rhs) {
  // Leaves with as many targets as fill SIMD registers.
  constexpr std::size_t targets_per_leaf = 32;
  const std::size_t capacity = targets_per_leaf * (sources / std::max<std::size_t>(1, targets) + 1);
  return {.method = fmm::Method::direct,
          .leaf_capacity = static_cast<int>(std::min(capacity, std::size_t{1} << 30)),
          .rhs = rhs};
}

SampledSums::SampledSums(LayerSet& layers, int samples, int rhs)
    : backend_(layers.backend()),
      symmetry_(layers.symmetry()),
      points_(layers.points()),
      components_(static_cast<std::size_t>(layers.discretization().components())),
      chosen_(sample(points_, std::min(points_, static_cast<std::size_t>(std::max(0, samples))))) {
  const Discretization& d = layers.discretization();
  std::vector<Vec3d> targets;
  for (std::size_t first = 0; first < layers.targets(); first += points_) {
    for (const std::size_t i : chosen_) targets.push_back(d.targets()[first + i]);
  }
  direct_ = backend_.make_operator({d.nodes(), targets, d.node_normals()},
                                   direct_options(d.nodes().size(), targets.size(), rhs));
}

void SampledSums::compare(const fmm::Strengths& given, const fmm::Results& found,
                          std::span<SampledError> errors) {
  const std::size_t rhs = errors.size() * components_;
  const std::size_t targets = static_cast<std::size_t>(symmetry_.images()) * chosen_.size();
  const auto buffer = [&](std::span<double> sums, std::size_t width) {
    return backend_.allocate(sums.empty() ? 0 : rhs * targets * width);
  };
  Array potential = buffer(found.potential, 1), gradient = buffer(found.gradient, 3);
  direct_->apply(given, {.potential = potential.all(), .gradient = gradient.all()},
                 static_cast<int>(rhs));
  compare(found.potential, potential.all(), 1, errors);
  compare(found.gradient, gradient.all(), 3, errors);
}

SparseMatrix& SampledSums::selection(std::size_t width) {
  std::unique_ptr<SparseMatrix>& made = selections_[width == 1 ? 0 : 1];
  if (!made) {
    auto pattern = std::make_shared<SparsityPattern>();
    const std::size_t targets = static_cast<std::size_t>(symmetry_.images()) * points_;
    for (std::size_t first = 0; first < targets; first += points_) {
      for (const std::size_t i : chosen_) {
        for (std::size_t c = 0; c < width; ++c) {
          pattern->columns.push_back(static_cast<std::int32_t>((first + i) * width + c));
          pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
        }
      }
    }
    AlignedVector<double> ones(pattern->entries(), 1.0);
    made = backend_.make_sparse({targets * width, std::move(pattern), std::move(ones)});
  }
  return *made;
}

void SampledSums::compare(std::span<const double> found, std::span<const double> exact,
                          std::size_t width, std::span<SampledError> errors) {
  if (found.empty()) return;
  const std::size_t count = chosen_.size(), images = static_cast<std::size_t>(symmetry_.images());
  Array chosen = backend_.allocate(exact.size());
  selection(width).add(1.0, found.data(), chosen.data(),
                       static_cast<int>(exact.size() / (images * count * width)));
  std::vector<double> sums = downloaded(backend_, chosen, chosen.size()), wanted(exact.size());
  backend_.download(exact.data(), wanted);
  for (std::size_t k = 0; k < errors.size() * components_; ++k) {
    PointErrors at_points;
    for (std::size_t s = 0; s < count; ++s) {
      double error2 = 0.0, value2 = 0.0;
      const std::size_t at = (k * images * count + s) * width;
      const auto right = of_images(symmetry_, &wanted[at], count, width),
                 made = of_images(symmetry_, &sums[at], count, width);
      for (std::size_t c = 0; c < width; ++c) {
        error2 += (made[c] - right[c]) * (made[c] - right[c]);
        value2 += right[c] * right[c];
      }
      at_points.add(error2, value2);
    }
    errors[k / components_] += at_points.sum(points_);
  }
}

}  // namespace rankine::bem
