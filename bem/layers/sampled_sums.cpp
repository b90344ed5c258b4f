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

void SampledValues::add(double weight, const SampledValues& other) {
  const auto add_to = [weight](std::vector<double>& to, const std::vector<double>& from) {
    to.resize(std::max(to.size(), from.size()), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += weight * from[i];
  };
  add_to(potential, other.potential);
  add_to(gradient, other.gradient);
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
  std::vector<std::int64_t> numbers;
  for (std::size_t first = 0; first < layers.targets(); first += points_) {
    for (const std::size_t i : chosen_) numbers.push_back(static_cast<std::int64_t>(first + i));
  }
  const AlignedVector<Vec3d> targets = d.targets().gathered(numbers);
  direct_ = backend_.make_sums(d, targets, direct_options(d.nodes().size(), targets.size(), rhs));
}

std::size_t SampledSums::targets() const {
  return static_cast<std::size_t>(symmetry_.images()) * chosen_.size();
}

void SampledSums::append(const double* from, std::size_t size,
                         std::vector<double> SampledValues::*member,
                         std::span<SampledValues> values) {
  std::vector<double> all(size);
  backend_.download(from, all);
  const std::size_t each = size / values.size();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k * each);
    std::vector<double>& to = values[k].*member;
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
}

void SampledSums::take(const fmm::Results& results, std::span<SampledValues> values) {
  const std::size_t columns = values.size() * components_;
  const auto take_kind = [&](std::span<const double> found, std::size_t width, auto member) {
    if (found.empty()) return;
    Array chosen = backend_.allocate(columns * targets() * width);
    selection(width).add(1.0, found.data(), chosen.data(), static_cast<int>(columns));
    append(chosen.data(), chosen.size(), member, values);
  };
  take_kind(results.potential, 1, &SampledValues::potential);
  take_kind(results.gradient, 3, &SampledValues::gradient);
}

void SampledSums::sum(const fmm::Strengths& given, const fmm::Results& like,
                      std::span<SampledValues> values) {
  const std::size_t columns = values.size() * components_;
  Array potential = backend_.allocate(like.potential.empty() ? 0 : columns * targets()),
        gradient = backend_.allocate(like.gradient.empty() ? 0 : columns * targets() * 3);
  direct_->apply(given, {.potential = potential.all(), .gradient = gradient.all()},
                 static_cast<int>(columns));
  append(potential.data(), potential.size(), &SampledValues::potential, values);
  append(gradient.data(), gradient.size(), &SampledValues::gradient, values);
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

SampledError SampledSums::error(const SampledValues& found, const SampledValues& exact) const {
  SampledError sum = error(found.potential, exact.potential, 1);
  return sum += error(found.gradient, exact.gradient, 3);
}

SampledError SampledSums::error(const std::vector<double>& found, const std::vector<double>& exact,
                                std::size_t width) const {
  const std::size_t count = chosen_.size(), block = targets() * width;
  SampledError error;
  for (std::size_t first = 0; first < exact.size(); first += block) {
    PointErrors at_points;
    for (std::size_t s = 0; s < count; ++s) {
      double error2 = 0.0, value2 = 0.0;
      const std::size_t at = first + s * width;
      const auto right = of_images(symmetry_, &exact[at], count, width);
      const auto made =
          found.empty() ? std::array<double, 3>{} : of_images(symmetry_, &found[at], count, width);
      for (std::size_t c = 0; c < width; ++c) {
        error2 += (made[c] - right[c]) * (made[c] - right[c]);
        value2 += right[c] * right[c];
      }
      at_points.add(error2, value2);
    }
    error += at_points.sum(points_);
  }
  return error;
}

}  // namespace rankine::bem
