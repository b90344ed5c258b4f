// Reference sums, one pair at a time with the terms of fmm/kernels/laplace.hpp, which
// tests/fmm/pair_terms_test.cpp tests.
#pragma once

#include <cmath>
#include <iterator>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/kernels/laplace.hpp"

namespace rankine::testing {

/// The pair at r = target - source with an exactly rounded root; it is excluded for r = 0.
template <class T>
fmm::Laplace::Pair<T> laplace_pair(const Vec3<T>& r) {
  const T r2 = dot(r, r);
  return fmm::Laplace::pair(r.x, r.y, r.z, r2 > T(0) ? T(1) / std::sqrt(r2) : T(0));
}

/// Results of one or several right-hand sides in the order of fmm::Results; those that were not
/// asked for are empty.
struct Field {
  std::vector<double> potential, gradient, hessian, velocity = {}, velocity_gradient = {};
};

/// Part k of values that hold several of `size`, or none.
inline std::vector<double> part(const std::vector<double>& values, std::size_t size,
                                std::size_t k) {
  if (values.empty()) return {};
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size * k);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

inline std::vector<double> part_from(const std::vector<double>& values, std::size_t first) {
  return {values.begin() + static_cast<std::ptrdiff_t>(first), values.end()};
}

inline std::vector<double> combined(double alpha, const std::vector<double>& a, double beta,
                                    const std::vector<double>& b) {
  std::vector<double> c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = alpha * a[i] + beta * b[i];
  return c;
}

inline Field combined(double alpha, const Field& a, double beta, const Field& b) {
  return {combined(alpha, a.potential, beta, b.potential),
          combined(alpha, a.gradient, beta, b.gradient),
          combined(alpha, a.hessian, beta, b.hessian)};
}

/// The sums of target i, in the order of a pair's components, into `field`.
template <class Sums>
void put(const Sums& sums, std::size_t i, Field& field) {
  field.potential[i] = static_cast<double>(sums[0]);
  for (std::size_t c = 1; c < std::size(sums); ++c) {
    (c < fmm::hessian_at ? field.gradient[3 * i + c - fmm::gradient_at]
                         : field.hessian[6 * i + c - fmm::hessian_at]) =
        static_cast<double>(sums[c]);
  }
}

namespace detail {

/// `combine` adds the terms of one pair to the sums of its target.
template <class Real, class Combine>
Field sum_pairs(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                const std::vector<double>& q, const std::vector<double>& d, int derivatives,
                Combine&& combine) {
  const std::size_t n = targets.size();
  Field field{std::vector<double>(n), std::vector<double>(derivatives > 0 ? 3 * n : 0),
              std::vector<double>(derivatives > 1 ? 6 * n : 0)};
  fmm::with_terms(!q.empty(), !d.empty(), derivatives, [&](auto terms) {
    parallel_for(n, [&](std::size_t i) {
      Real sum[fmm::components(terms())] = {};
      for (std::size_t j = 0; j < sources.size(); ++j) {
        const Vec3<Real> r{Real(targets[i].x) - Real(sources[j].x),
                           Real(targets[i].y) - Real(sources[j].y),
                           Real(targets[i].z) - Real(sources[j].z)};
        Real dipole[3] = {}, pair[fmm::components(terms())] = {};
        for (std::size_t axis = 0; !d.empty() && axis < 3; ++axis) dipole[axis] = d[3 * j + axis];
        fmm::Laplace::add<terms()>(laplace_pair(r), q.empty() ? Real(0) : Real(q[j]), dipole, pair);
        for (int c = 0; c < fmm::components(terms()); ++c) combine(sum[c], pair[c]);
      }
      put(sum, i, field);
    });
  });
  return field;
}

}  // namespace detail

/// Sums over charges q and dipole moments d (x, y, z per source), either possibly empty, in
/// arithmetic `Real`, with derivatives as in PairTerms.
template <class Real = double>
Field direct_sum(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                 const std::vector<double>& q, const std::vector<double>& d, int derivatives = 1) {
  return detail::sum_pairs<Real>(sources, targets, q, d, derivatives,
                                 [](Real& sum, const Real& term) { sum += term; });
}

/// The sums of the squares of the same terms.
inline Field squared_terms(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                           const std::vector<double>& q, const std::vector<double>& d,
                           int derivatives = 1) {
  return detail::sum_pairs<double>(sources, targets, q, d, derivatives,
                                   [](double& sum, double term) { sum += term * term; });
}

}  // namespace rankine::testing
