#include "rankine/fmm/translation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

/// Full matrix of one degree, rows and columns m = -l ... l.
class DegreeMatrix {
 public:
  explicit DegreeMatrix(int l)
      : l_(l), entries_(static_cast<std::size_t>(2 * l + 1) * (2 * l + 1)) {}
  double& operator()(int m, int n) { return entries_[(m + l_) * (2 * l_ + 1) + n + l_]; }
  double operator()(int m, int n) const { return entries_[(m + l_) * (2 * l_ + 1) + n + l_]; }

 private:
  int l_;
  std::vector<double> entries_;
};

/// P of Ivanic & Ruedenberg, table 2.
double auxiliary(const DegreeMatrix& first, const DegreeMatrix& previous, int i, int l, int mu,
                 int n) {
  if (n == l) return first(i, 1) * previous(mu, l - 1) - first(i, -1) * previous(mu, -l + 1);
  if (n == -l) return first(i, 1) * previous(mu, -l + 1) + first(i, -1) * previous(mu, l - 1);
  return first(i, 0) * previous(mu, n);
}

/// Table 1: degree l from degrees 1 and l - 1. Cosine and sine parts do not mix.
DegreeMatrix next_degree(const DegreeMatrix& first, const DegreeMatrix& previous, int l) {
  DegreeMatrix result(l);
  const auto p = [&](int i, int mu, int n) { return auxiliary(first, previous, i, l, mu, n); };
  std::vector<double> inverse;  // of the roots of the denominators, by |n|
  for (int n = 0; n <= l; ++n) {
    inverse.push_back(1.0 /
                      std::sqrt(n == l ? 2.0 * l * (2.0 * l - 1.0) : double(l + n) * (l - n)));
  }
  for (int m = -l; m <= l; ++m) {
    const int a = std::abs(m);
    const double zero = m == 0 ? 1.0 : 0.0;
    const double u = std::sqrt(double(l + m) * (l - m));
    const double v = 0.5 * std::sqrt((1.0 + zero) * (l + a - 1.0) * (l + a)) * (1.0 - 2.0 * zero);
    const double w = -0.5 * std::sqrt((l - a - 1.0) * (l - a)) * (1.0 - zero);
    for (int n = m < 0 ? -l : 0; n <= (m < 0 ? -1 : l); ++n) {
      double value = 0.0;
      if (u != 0.0) value += u * p(0, m, n);
      if (v != 0.0) {
        if (m == 0) {
          value += v * (p(1, 1, n) + p(-1, -1, n));
        } else if (m > 0) {
          value += v * (m == 1 ? std::sqrt(2.0) * p(1, 0, n) : p(1, m - 1, n) - p(-1, -m + 1, n));
        } else {
          value += v * (m == -1 ? std::sqrt(2.0) * p(-1, 0, n) : p(1, m + 1, n) + p(-1, -m - 1, n));
        }
      }
      if (w != 0.0) {
        value +=
            w * (m > 0 ? p(1, m + 1, n) + p(-1, -m - 1, n) : p(1, m - 1, n) - p(-1, -m + 1, n));
      }
      result(m, n) = value * inverse[std::abs(n)];
    }
  }
  return result;
}

/// log n! for n up to 2 max_order.
double log_factorial(int n) {
  static const std::vector<double> table = [] {
    std::vector<double> logarithms;
    for (int i = 0; i <= 2 * max_order; ++i) logarithms.push_back(std::lgamma(i + 1.0));
    return logarithms;
  }();
  return table[n];
}

/// log K(n, m).
double log_norm(int n, int m) { return 0.5 * (log_factorial(n - m) + log_factorial(n + m)); }

double coaxial_entry(Shift shift, int n, int n2, int m, double length) {
  switch (shift) {
    case Shift::multipole_to_local: {
      const double value = std::exp(log_factorial(n + n2) - log_norm(n, m) - log_norm(n2, m) -
                                    (n + n2 + 1) * std::log(length));
      return (n + m) % 2 == 0 ? value : -value;
    }
    case Shift::multipole_to_multipole:
      if (n2 > n) return 0.0;
      return std::exp(log_norm(n, m) - log_norm(n2, m) - log_factorial(n - n2) +
                      (n - n2) * std::log(length)) *
             std::ldexp(1.0, -n2);
    case Shift::local_to_local:
      return 0.5 * coaxial_entry(Shift::multipole_to_multipole, n2, n, m, length);
  }
  return 0.0;
}

/// Transposes consecutive square blocks.
template <class T, class Size>
std::vector<T> transpose_blocks(const std::vector<double>& blocks, const Size& size_of) {
  std::vector<T> result(blocks.size());
  std::size_t begin = 0;
  for (int block = 0; begin < blocks.size(); ++block) {
    const int size = size_of(block);
    const double* const from = blocks.data() + begin;
    T* const to = result.data() + begin;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) to[j * size + i] = static_cast<T>(from[i * size + j]);
    }
    begin += static_cast<std::size_t>(size) * size;
  }
  return result;
}

/// Values by key, each computed once, by all threads.
template <class Key, class Value>
class MadeOnce {
 public:
  template <class Make>
  MadeOnce(std::vector<Key> keys, const Make& make) : keys_(std::move(keys)) {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    values_.resize(keys_.size());
    parallel_chunks(keys_.size(), 1, [&](std::size_t i) {
      values_[i] = std::make_shared<const Value>(make(keys_[i]));
    });
  }
  const std::shared_ptr<const Value>& at(const Key& key) const {
    return values_[static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) -
                                            keys_.begin())];
  }

 private:
  std::vector<Key> keys_;
  std::vector<std::shared_ptr<const Value>> values_;
};

}  // namespace

RotationY::RotationY(int order, double cos_theta, double sin_theta) : blocks_(cosine_at(order)) {
  DegreeMatrix first(1);  // rows and columns -1, 0, 1 are y, z, x
  first(-1, -1) = 1.0;
  first(0, 0) = cos_theta;
  first(0, 1) = sin_theta;
  first(1, 0) = -sin_theta;
  first(1, 1) = cos_theta;

  DegreeMatrix current(0);
  current(0, 0) = 1.0;
  for (int n = 0; n < order; ++n) {
    if (n == 1) current = first;
    if (n > 1) current = next_degree(first, current, n);
    for (int m = 0; m <= n; ++m) {
      for (int m2 = 0; m2 <= n; ++m2) {
        blocks_[cosine_at(n) + m * (n + 1) + m2] = current(m, m2);
        if (m > 0 && m2 > 0) blocks_[sine_at(n) + (m - 1) * n + m2 - 1] = current(-m, -m2);
      }
    }
  }
}

std::vector<double> coaxial_matrices(Shift shift, double length, int order) {
  std::vector<double> matrices;
  matrices.reserve(static_cast<std::size_t>(coaxial_size(order)));
  for (int m = 0; m < order; ++m) {
    for (int n = m; n < order; ++n) {
      for (int n2 = m; n2 < order; ++n2) matrices.push_back(coaxial_entry(shift, n, n2, m, length));
    }
  }
  return matrices;
}

template <class T>
std::vector<Translation<T>> make_translations(Shift shift, std::span<const Vec3d> shifts,
                                              std::span<const std::int8_t> orders) {
  using Rotation = typename Translation<T>::Rotation;
  using Slope = std::pair<double, double>;        // z and x^2 + y^2
  using LengthAndOrder = std::pair<double, int>;  // squared
  const auto slope = [&](std::size_t i) {
    const Vec3d& t = shifts[i];
    return Slope(t.z, t.x * t.x + t.y * t.y);
  };
  const auto length = [&](std::size_t i) {
    return LengthAndOrder(dot(shifts[i], shifts[i]), orders[i]);
  };
  std::vector<Slope> slopes;
  std::vector<LengthAndOrder> lengths;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    if (orders[i] == 0) continue;
    slopes.push_back(slope(i));
    lengths.push_back(length(i));
  }
  const int highest = *std::max_element(orders.begin(), orders.end());
  const MadeOnce<Slope, Rotation> rotations(std::move(slopes), [&](const Slope& of) {
    const double distance = std::sqrt(of.first * of.first + of.second);
    const std::vector<double> blocks =
        RotationY(highest, of.first / distance, std::sqrt(of.second) / distance).blocks();
    // The cosines and the sines of each degree.
    return Rotation{
        transpose_blocks<T>(blocks, [](int block) { return block / 2 + 1 - block % 2; }),
        {blocks.begin(), blocks.end()}};
  });
  const MadeOnce<LengthAndOrder, std::vector<T>> matrices(
      std::move(lengths), [&](const LengthAndOrder& of) {
        return transpose_blocks<T>(coaxial_matrices(shift, std::sqrt(of.first), of.second),
                                   [&](int m) { return of.second - m; });
      });
  std::vector<Translation<T>> result(shifts.size());
  parallel_chunks(result.size(), 8, [&](std::size_t i) {
    if (orders[i] == 0) return;
    const Vec3d& t = shifts[i];
    const double phi = std::atan2(t.y, t.x);
    Translation<T>& made = result[i];
    made = {orders[i], {}, {}, rotations.at(slope(i)), matrices.at(length(i))};
    for (int m = 0; m < made.order; ++m) {
      made.cos_phi.push_back(static_cast<T>(std::cos(m * phi)));
      made.sin_phi.push_back(static_cast<T>(std::sin(m * phi)));
    }
  });
  return result;
}

template std::vector<Translation<float>> make_translations(Shift, std::span<const Vec3d>,
                                                           std::span<const std::int8_t>);
template std::vector<Translation<double>> make_translations(Shift, std::span<const Vec3d>,
                                                            std::span<const std::int8_t>);

}  // namespace rankine::fmm
