#include "rankine/fmm/pair_series.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "rankine/fmm/dual.hpp"
#include "rankine/fmm/once_per_order.hpp"
#include "rankine/fmm/translation.hpp"

namespace rankine::fmm {
namespace {

/// A number with its derivatives along one direction.
template <int derivatives>
struct Carrying;
template <>
struct Carrying<0> {
  using Type = double;
  static Type number(double x, double) { return x; }
  static void take(double r, double* const (&to)[3], int k) { to[0][k] = r; }
};
template <>
struct Carrying<1> {
  using Type = Dual<double>;
  static Type number(double x, double u) { return {x, u}; }
  static void take(const Type& r, double* const (&to)[3], int k) {
    to[0][k] = r.v;
    to[1][k] = r.d;
  }
};
template <>
struct Carrying<2> {
  using Type = Dual<Dual<double>>;
  static Type number(double x, double u) { return {{x, u}, {u, 0.0}}; }
  static void take(const Type& r, double* const (&to)[3], int k) {
    to[0][k] = r.v.v;
    to[1][k] = r.v.d;
    to[2][k] = r.d.d;
  }
};

}  // namespace

DirectedHarmonics::DirectedHarmonics(int order, int derivatives)
    : order_(order), derivatives_(derivatives) {
  const auto size = static_cast<std::size_t>(order * (order + 1) / 2);
  for (int d = 0; d <= derivatives; ++d) {
    cosine_[d].resize(size);
    sine_[d].resize(size);
  }
}

template <int derivatives>
void DirectedHarmonics::evaluate_with(Harmonic kind, const Vec3d& x, const Vec3d& u) {
  using Numbers = Carrying<derivatives>;
  using Number = typename Numbers::Type;
  static const RecursionTable<double> table;
  double* const cosine[3] = {cosine_[0].data(), cosine_[1].data(), cosine_[2].data()};
  double* const sine[3] = {sine_[0].data(), sine_[1].data(), sine_[2].data()};
  const auto point = harmonic_point(kind, Numbers::number(x.x, u.x), Numbers::number(x.y, u.y),
                                    Numbers::number(x.z, u.z), one<Number>());
  // Values arrive in the order in which they are stored: those of m = 0, then cosine and sine of
  // each.
  int visited = 0;
  visit_harmonics(table, order_, point, [&](int, const Number& value) {
    const int beyond = visited++ - order_;
    const bool is_cosine = beyond < 0 || beyond % 2 == 0;
    Numbers::take(value, is_cosine ? cosine : sine, order_ + (beyond < 0 ? beyond : beyond / 2));
  });
}

void DirectedHarmonics::evaluate(Harmonic kind, const Vec3d& x, const Vec3d& u) {
  if (derivatives_ == 0) return evaluate_with<0>(kind, x, u);
  if (derivatives_ == 1) return evaluate_with<1>(kind, x, u);
  evaluate_with<2>(kind, x, u);
}

namespace {

/// The coaxial matrices of M2L for length 1, made symmetric by the sign (-1)^n.
const std::vector<double>& symmetric_coaxial_matrices(int order) {
  static OncePerOrder<std::vector<double>> all;
  return all.at(order, [&] {
    std::vector<double> result = coaxial_matrices(Shift::multipole_to_local, 1.0, order);
    for (int m = 0; m < order; ++m) {
      for (double& entry :
           std::span(result).subspan(coaxial_at(order, m), (order - m) * (order - m)))
        entry = m % 2 == 0 ? std::abs(entry) : -std::abs(entry);
    }
    return result;
  });
}

}  // namespace

PairSeries::PairSeries(int order, int derivatives, int strengths)
    : order_(order),
      derivatives_(derivatives),
      strengths_(strengths),
      coaxial_(&symmetric_coaxial_matrices(order)),
      target_(order, derivatives),
      source_(order, strengths - 1) {}

void PairSeries::begin(const Vec3d& separation, const Vec3d& u, const Vec3d& w) {
  separation_ = separation;
  u_ = u;
  w_ = w;
  for (auto& terms : terms_) terms.assign(static_cast<std::size_t>(order_), 0.0);
}

template <int strengths, int derivatives>
void PairSeries::couple(double scale) {
  // Of each degree the cosines and sines of the source, then those of the target.
  constexpr int of_source = 2 * strengths, values = of_source + 2 * (derivatives + 1);
  std::array<std::array<double, values>, max_order> sides;
  for (int m = 0; m < order_; ++m) {
    const int size = order_ - m;
    for (int k = 0; k < size; ++k) {
      for (int i = 0; i < strengths; ++i) {
        sides[k][2 * i] = source_.cosine(i, m)[k];
        sides[k][2 * i + 1] = source_.sine(i, m)[k];
      }
      for (int i = 0; i <= derivatives; ++i) {
        sides[k][of_source + 2 * i] = target_.cosine(i, m)[k];
        sides[k][of_source + 2 * i + 1] = target_.sine(i, m)[k];
      }
    }
    const double* row = coaxial_->data() + coaxial_at(order_, m);
    for (int n = 0; n < size; ++n, row += size) {
      double below[values] = {};
      for (int k = 0; k < n; ++k) {
        for (int i = 0; i < values; ++i) below[i] += row[k] * sides[k][i];
      }
      for (int s = 0; s < strengths; ++s) {
        for (int d = 0; d <= derivatives; ++d) {
          double term = 0.0;
          for (int i = 0; i < 2; ++i) {
            const int a = 2 * s + i, b = of_source + 2 * d + i;
            term += sides[n][b] * (below[a] + row[n] * sides[n][a]) + sides[n][a] * below[b];
          }
          terms_[pair_kind(d, s)][m + n] += scale * term;
        }
      }
    }
  }
}

void PairSeries::set_m2l(const Vec3d& t, const Vec3d& x, const Vec3d& y, const Vec3d& u,
                         const Vec3d& w) {
  const double length = norm(t), scale = 1.0 / length;
  const Vec3d ez = t * scale,
              ex = normalized(
                  cross(ez, std::abs(ez.x) < 0.6 ? Vec3d{1.0, 0.0, 0.0} : Vec3d{0.0, 1.0, 0.0})),
              ey = cross(ez, ex);
  const auto turned = [&](const Vec3d& v) {
    return Vec3d{dot(v, ex), dot(v, ey), dot(v, ez)} * scale;
  };
  target_.evaluate(Harmonic::regular, turned(-x), turned(-u));  // the sign (-1)^n
  source_.evaluate(Harmonic::regular, turned(y), turned(w));
  begin(t + x - y, u, w);
  if (strengths_ == 1) {
    derivatives_ == 0   ? couple<1, 0>(scale)
    : derivatives_ == 1 ? couple<1, 1>(scale)
                        : couple<1, 2>(scale);
  } else {
    derivatives_ == 0   ? couple<2, 0>(scale)
    : derivatives_ == 1 ? couple<2, 1>(scale)
                        : couple<2, 2>(scale);
  }
}

void PairSeries::set_single(Harmonic target, const Vec3d& x, const Vec3d& y, const Vec3d& u,
                            const Vec3d& w) {
  const bool m2p = target == Harmonic::singular;
  target_.evaluate(target, x, u);
  source_.evaluate(m2p ? Harmonic::regular : Harmonic::singular, y, w);
  begin(x - y, u, w);
  for (int s = 0; s < strengths_; ++s) {
    for (int d = 0; d <= derivatives_; ++d) {
      std::vector<double>& terms = terms_[pair_kind(d, s)];
      for (int m = 0; m < order_; ++m) {
        for (int k = 0; k < order_ - m; ++k) {
          terms[m + k] += target_.cosine(d, m)[k] * source_.cosine(s, m)[k] +
                          target_.sine(d, m)[k] * source_.sine(s, m)[k];
        }
      }
    }
  }
}

double PairSeries::exact(int derivative, int strength) const {
  const double i = 1.0 / norm(separation_), i2 = i * i, i3 = i * i2, i5 = i3 * i2;
  const double a = dot(separation_, u_), b = dot(separation_, w_), c = dot(u_, w_);
  switch (pair_kind(derivative, strength)) {
    case pair_kind(0, 0):
      return i;
    case pair_kind(1, 0):
      return -a * i3;
    case pair_kind(2, 0):
      return (3.0 * a * a * i2 - 1.0) * i3;
    case pair_kind(0, 1):
      return b * i3;
    case pair_kind(1, 1):
      return (c - 3.0 * a * b * i2) * i3;
    default:
      return (15.0 * a * a * b * i2 - 6.0 * a * c - 3.0 * b) * i5;
  }
}

}  // namespace rankine::fmm
