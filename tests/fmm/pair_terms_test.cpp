// The pair terms of the kernels against formulas, and their derivatives against complex steps,
// which have no cancellation: f'(x) = Im f(x + ih) / h.
#include "rankine/fmm/kernels/pair_terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <vector>

#include "rankine/fmm/kernels/laplace.hpp"
#include "rankine/fmm/kernels/plummer.hpp"
#include "tests/support/reference_sum.hpp"

namespace rankine::fmm {
namespace {

using Complex = std::complex<double>;
constexpr double h = 1e-30, rounding = 1e-14;
constexpr double charge = 1.3, dipole[3] = {0.4, -0.7, 0.9};
constexpr double at[3] = {0.8, -0.5, 1.1};

/// Potential, gradient and second derivatives at `at` + ih along an axis.
template <PairTerms terms, class Term>
std::vector<Complex> stepped(const Term& term, int axis) {
  Complex r[3] = {at[0], at[1], at[2]};
  r[axis] += Complex(0.0, h);
  const Complex r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const Complex u = 1.0 / std::sqrt(term.under_root(r2));
  std::vector<Complex> sum(components(terms));
  term.template add<terms>(term.pair(r[0], r[1], r[2], u), charge, dipole, sum.data());
  return sum;
}

/// `laplacian` of the potential.
template <PairTerms terms, class Term>
void expect_derivatives(const Term& term, double laplacian) {
  constexpr int row[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int i = 0; i < 3; ++i) {
    const std::vector<Complex> step = stepped<terms>(term, i);
    EXPECT_NEAR(step[gradient_at + i].real(), step[0].imag() / h, rounding);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(step[hessian_at + row[i][j]].real(), step[gradient_at + j].imag() / h,
                  10.0 * rounding)
          << i << j;
    }
    EXPECT_NEAR((step[hessian_at] + step[hessian_at + 3] + step[hessian_at + 5]).real(), laplacian,
                10.0 * rounding)
        << "the Laplacian";
  }
}

TEST(LaplaceTerm, DerivativesAreThoseOfThePotential) {
  expect_derivatives<PairTerms{true, false, 2}>(Laplace{}, 0.0);
  expect_derivatives<PairTerms{false, true, 2}>(Laplace{}, 0.0);
  expect_derivatives<PairTerms{true, true, 2}>(Laplace{}, 0.0);
}

Plummer<double> plummer() {
  Plummer<double> term;
  term.softening2 = 0.49;
  return term;
}

// The Laplacian is the density of Plummer's sphere, -3 q eps^2 u^5, or for a dipole mu . grad_y of
// it.
TEST(PlummerTerm, DerivativesAreThoseOfThePotential) {
  const Vec3d r{at[0], at[1], at[2]}, moment{dipole[0], dipole[1], dipole[2]};
  const double eps2 = plummer().softening2, u = 1.0 / std::sqrt(dot(r, r) + eps2);
  const double of_charge = -3.0 * charge * eps2 * std::pow(u, 5),
               of_dipole = -15.0 * eps2 * dot(moment, r) * std::pow(u, 7);
  expect_derivatives<PairTerms{true, false, 2}>(plummer(), of_charge);
  expect_derivatives<PairTerms{false, true, 2}>(plummer(), of_dipole);
  expect_derivatives<PairTerms{true, true, 2}>(plummer(), of_charge + of_dipole);
}

TEST(PlummerTerm, PotentialIsTheFormula) {
  const double r2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
  const auto value = stepped<PairTerms{true, false, 0}>(plummer(), 0)[0].real();
  EXPECT_NEAR(value, charge / std::sqrt(r2 + plummer().softening2), rounding);
}

/// The terms of a pair at r.
template <PairTerms terms>
std::array<double, components(terms)> added(const Vec3d& r) {
  std::array<double, components(terms)> sum{};
  Laplace::add<terms>(testing::laplace_pair(r), charge, dipole, sum.data());
  return sum;
}
constexpr Vec3d separation{at[0], at[1], at[2]};

TEST(LaplaceTerm, PotentialIsTheFormula) {
  const Vec3d moment{dipole[0], dipole[1], dipole[2]};
  const double distance = norm(separation);
  EXPECT_NEAR((added<PairTerms{true, false, 0}>(separation)[0]), charge / distance, rounding);
  EXPECT_NEAR((added<PairTerms{false, true, 0}>(separation)[0]),
              dot(moment, separation) / std::pow(distance, 3), rounding);
}

// Terms that are not asked for do not change the others.
TEST(LaplaceTerm, TermsAddUp) {
  const auto both = added<PairTerms{true, true, 2}>(separation);
  const auto charges = added<PairTerms{true, false, 2}>(separation);
  const auto dipoles = added<PairTerms{false, true, 2}>(separation);
  for (std::size_t c = 0; c < 10; ++c) EXPECT_NEAR(both[c], charges[c] + dipoles[c], rounding);
  const auto first = added<PairTerms{true, false, 1}>(separation);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(first[c], charges[c]);
}

TEST(LaplaceTerm, APairAtDistanceZeroContributesNothing) {
  for (const double value : added<PairTerms{true, true, 2}>(Vec3d{})) EXPECT_EQ(value, 0.0);
}

}  // namespace
}  // namespace rankine::fmm
