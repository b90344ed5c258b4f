#include "rankine/fmm/dense_translation.hpp"

#include <cmath>
#include <cstdlib>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

std::vector<double> harmonics_at(Harmonic kind, const Vec3d& t, int order) {
  std::vector<double> values(coefficient_count(order));
  visit_harmonics(RecursionFactors(), order, harmonic_point(kind, t.x, t.y, t.z, 1.0),
                  [&](int k, double value) { values[k] = value; });
  return values;
}

/// nu_m K(n, m) / n!, which unlike K does not overflow, and binomial coefficients (n over k).
class Norms {
 public:
  explicit Norms(int order)
      : order_(order), norms_(coefficient_count(order)), choose_(coefficient_count(order)) {
    for (int n = 0; n < order; ++n) {
      double square = 1.0;
      for (int m = 0; m <= n; ++m) {
        if (m > 0) square *= static_cast<double>(n + m) / (n - m + 1);
        choose_[n * order + m] =
            m == 0 ? 1.0 : choose(n - 1, m - 1) + (m < n ? choose(n - 1, m) : 0.0);
        norms_[n * order + m] = std::sqrt((m > 0 ? 2.0 : 1.0) * square);
      }
    }
  }

  double operator()(int n, int m) const { return norms_[n * order_ + m]; }
  double choose(int n, int k) const { return choose_[n * order_ + k]; }
  const std::vector<double>& choose() const { return choose_; }

 private:
  int order_;
  std::vector<double> norms_, choose_;
};

double parity(int n) { return n % 2 == 0 ? 1.0 : -1.0; }

/// One pair (degree, a) of rows of a matrix.
struct RowPair {
  double *cosine, *sine;

  RowPair(std::vector<double>& matrix, int size, int n, int a)
      : cosine(matrix.data() + static_cast<std::size_t>(coefficient_index(n, a)) * size),
        sine(matrix.data() + static_cast<std::size_t>(coefficient_index(n, -a)) * size) {}
};

std::vector<double> multipole_to_local(const Vec3d& t, int order) {
  const int size = coefficient_count(order);
  const M2LTables tables(order);
  const std::vector<double> of_shift = tables.harmonics(t);
  const M2LBlocks blocks{of_shift.data(), tables.scale().data(), tables.choose().data(),
                         tables.choose_stride()};
  std::vector<double> matrix(static_cast<std::size_t>(size) * size);
  for (int j = 0; j < order; ++j) {
    for (int a = 0; a <= j; ++a) {
      const RowPair row(matrix, size, j, a);
      for (int l = 0; l < order; ++l) {
        for (int b = 0; b <= l; ++b) {
          const int cosine = coefficient_index(l, b), sine = coefficient_index(l, -b);
          const MatrixBlock block = blocks.block(j, a, l, b);
          row.cosine[cosine] = block.cosine_cosine;
          if (b > 0) row.cosine[sine] = block.cosine_sine;
          if (a > 0) row.sine[cosine] = block.sine_cosine;
          if (a > 0 && b > 0) row.sine[sine] = block.sine_sine;
        }
      }
    }
  }
  return matrix;
}

std::vector<double> multipole_to_multipole(const Vec3d& t, int order) {
  const int size = coefficient_count(order);
  const Norms norms(order);
  std::vector<double> ab = harmonics_at(Harmonic::regular, t, order);  // A and B times (l - j)!
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m) ab[coefficient_index(n, m)] /= norms(n, std::abs(m));
  }
  std::vector<double> matrix(static_cast<std::size_t>(size) * size);
  parallel_chunks(static_cast<std::size_t>(order), 1, [&](std::size_t degree) {
    const auto l = static_cast<int>(degree);
    for (int a = 0; a <= l; ++a) {
      const RowPair row(matrix, size, l, a);
      for (int j = 0; j <= l; ++j) {
        const int n = l - j;
        const double* const at = ab.data() + coefficient_index(n, 0);
        for (int b = 0; b <= j; ++b) {
          const int cosine = coefficient_index(j, b), sine = coefficient_index(j, -b), d = a - b;
          const double factor = std::ldexp(norms(l, a) / norms(j, b) * norms.choose(l, j), -j);
          const double s = d >= 0 ? factor : factor * parity(d), plus = factor * parity(b);
          const bool minus_exists = std::abs(d) <= n, plus_exists = a + b <= n;
          const double a_minus = minus_exists ? s * at[std::abs(d)] : 0.0;
          const double b_minus = minus_exists && d != 0 ? (d > 0 ? s : -s) * at[-std::abs(d)] : 0.0;
          const double a_plus = plus_exists ? plus * at[a + b] : 0.0;
          const double b_plus = plus_exists && a + b > 0 ? plus * at[-(a + b)] : 0.0;
          row.cosine[cosine] = a_minus + (b > 0 ? a_plus : 0.0);
          if (b > 0) row.cosine[sine] = b_plus - b_minus;
          if (a > 0) row.sine[cosine] = b_minus + (b > 0 ? b_plus : 0.0);
          if (a > 0 && b > 0) row.sine[sine] = a_minus - a_plus;
        }
      }
    }
  });
  return matrix;
}

std::vector<double> local_to_local(const Vec3d& t, int order) {
  const std::vector<double> m2m = multipole_to_multipole(t, order);
  const std::size_t size = coefficient_count(order);
  std::vector<double> matrix(m2m.size());
  parallel_chunks(size, 16, [&](std::size_t row) {
    for (std::size_t column = 0; column < size; ++column)
      matrix[row * size + column] = 0.5 * m2m[column * size + row];
  });
  return matrix;
}

}  // namespace

M2LTables::M2LTables(int order)
    : order_(order), weight_(coefficient_count(2 * order - 1)), scale_(coefficient_count(order)) {
  const Norms norms(2 * order - 1);
  choose_ = norms.choose();
  for (int n = 0; n < 2 * order - 1; ++n) {
    for (int m = -n; m <= n; ++m)
      weight_[coefficient_index(n, m)] = norms(n, std::abs(m)) / (m == 0 ? 1.0 : 2.0);
  }
  for (int l = 0; l < order; ++l) {
    for (int b = 0; b <= l; ++b)
      scale_[coefficient_index(l, b)] = (b == 0 ? 0.5 : 1.0) / norms(l, b);
  }
}

std::vector<double> M2LTables::harmonics(const Vec3d& t) const {
  std::vector<double> values = harmonics_at(Harmonic::singular, t, 2 * order_ - 1);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= weight_[k];
  return values;
}

std::vector<double> dense_translation(Shift shift, const Vec3d& t, int order) {
  switch (shift) {
    case Shift::multipole_to_multipole:
      return multipole_to_multipole(t, order);
    case Shift::local_to_local:
      return local_to_local(t, order);
    case Shift::multipole_to_local:
      break;
  }
  return multipole_to_local(t, order);
}

}  // namespace rankine::fmm
