// The promise of the tolerance (fmm/operator.hpp), on every distribution, for strengths that are
// random, the worst of several draws, and for structured ones. Included by one file of a test
// program, after tests/support/operator_contract.hpp.
#pragma once

#include <array>
#include <map>

#include "tests/support/operator_contract.hpp"

namespace rankine::testing {

using fmm::distribution_names;

class OperatorPromise : public OperatorContract,
                        public ::testing::WithParamInterface<std::tuple<std::string_view, Method>> {
 protected:
  static constexpr std::size_t sources = 2000, targets = 300, draws = 3;
  static constexpr std::size_t concentrated = 7;  ///< index of these charges

  std::string_view name() const { return std::get<0>(GetParam()); }
  Method method() const { return std::get<1>(GetParam()); }

  void SetUp() override {
    OperatorContract::SetUp();
    if (!backend_) return;
    from_ = make_points(name(), sources, 1);
    to_ = make_points(name(), targets, 2);
    make_charges();
    make_dipoles();
  }

  /// Three draws; all equal; alternating; three draws that sum to zero, one of them smooth; one
  /// that is 1e12 times the others.
  void make_charges() {
    q_ = make_strengths(3 * sources, 3);
    const auto add = [&](auto&& value) {
      for (std::size_t j = 0; j < sources; ++j) q_.push_back(value(j));
    };
    add([](std::size_t) { return 1.0; });
    add([](std::size_t j) { return j % 2 == 0 ? 1.0 : -1.0; });
    const auto neutral = [&](std::vector<double> q) {
      const double mean = std::accumulate(q.begin(), q.end(), 0.0) / sources;
      add([&](std::size_t j) { return q[j] - mean; });
    };
    neutral(make_strengths(sources, 4));
    std::vector<double> smooth;
    for (const Vec3d& y : from_) smooth.push_back(y.x + 2.0 * y.y);
    neutral(smooth);
    const auto others = make_strengths(sources, 5);
    add([&](std::size_t j) { return (j == 100 ? 1e12 : 1.0) * others[j]; });
  }

  /// Three draws, and equal dipoles.
  void make_dipoles() {
    d_ = make_strengths(draws * 3 * sources, 6);
    for (std::size_t j = 0; j < sources; ++j) d_.insert(d_.end(), {1.0, -2.0, 0.5});
  }

  /// Sums, and sums of the squares of their terms.
  struct Reference {
    Field exact, squares;
  };
  /// Of charges (width 1) or dipoles (3), all right-hand sides at once.
  template <std::size_t width>
  std::vector<Reference> sums_of(const std::vector<double>& strengths) const {
    constexpr fmm::PairTerms terms{width == 1, width == 3, 2, true};
    constexpr std::size_t values = fmm::components(terms);
    const Field zero{std::vector<double>(targets), std::vector<double>(3 * targets),
                     std::vector<double>(6 * targets)};
    std::vector<Reference> result(strengths.size() / (width * sources), {zero, zero});
    parallel_for(targets, [&](std::size_t i) {
      std::vector<std::array<double, values>> sums(result.size()), squares(result.size());
      for (std::size_t j = 0; j < sources; ++j) {
        double of_unit[width][values] = {};
        for (std::size_t a = 0; a < width; ++a) {
          const double axis[3] = {a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0};
          fmm::Laplace::add<terms>(laplace_pair(to_[i] - from_[j]), 1.0, axis, of_unit[a]);
        }
        for (std::size_t k = 0; k < result.size(); ++k) {
          const double* strength = strengths.data() + width * (k * sources + j);
          for (std::size_t c = 0; c < values; ++c) {
            double term = 0.0;
            for (std::size_t a = 0; a < width; ++a) term += strength[a] * of_unit[a][c];
            sums[k][c] += term;
            squares[k][c] += term * term;
          }
        }
      }
      for (std::size_t k = 0; k < result.size(); ++k) {
        put(sums[k], i, result[k].exact);
        put(squares[k], i, result[k].squares);
      }
    });
    return result;
  }
  /// Of all charges and of all dipoles, the same for every method, precision and tolerance.
  struct References {
    std::vector<Reference> of_charges, of_dipoles;
  };
  const References& references() const {
    static std::map<std::string_view, References> of_name;
    const auto [found, fresh] = of_name.try_emplace(name());
    if (fresh) found->second = {sums_of<1>(q_), sums_of<3>(d_)};
    return found->second;
  }

  /// Checks right-hand sides `draw` and draws, draws + 1, ...; the potential and its derivatives,
  /// separately.
  void expect_kept(const Field& found, const std::vector<Reference>& references, std::size_t draw,
                   double tolerance, const std::string& what) const {
    const auto check = [&](std::vector<double> Field::*values, const char* of) {
      if ((found.*values).empty()) return;
      for (std::size_t at = 0; at <= references.size() - draws; ++at) {
        const std::size_t k = at == 0 ? draw : draws + at - 1;
        const std::vector<double>& exact = references[k].exact.*values;
        const std::vector<double>& squares = references[k].squares.*values;
        double error = 0.0, size = 0.0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
          error += std::pow((found.*values)[exact.size() * at + i] - exact[i], 2);
          size += exact[i] * exact[i];
        }
        const double terms = std::accumulate(squares.begin(), squares.end(), 0.0);
        if (k == concentrated && name() == "ray") continue;  // sixteen decades of distances
        const double promised = k == concentrated ? 6.0 * tolerance : tolerance;
        EXPECT_LE(std::sqrt(error), promised * std::sqrt(std::max(size, terms)))
            << what << ", " << of << ", right-hand side " << k << ": "
            << std::sqrt(error / std::max(size, terms));
      }
    };
    check(&Field::potential, "potential");
    check(&Field::gradient, "gradient");
    check(&Field::hessian, "second derivatives");
  }

  /// Each tolerance has another of the draws.
  void expect_kept(Precision precision, const std::vector<double>& tolerances, int derivatives) {
    for (std::size_t t = 0; t < tolerances.size(); ++t) {
      const double tolerance = tolerances[t];
      const std::size_t draw = t % draws;
      Options options = contract_options(tolerance, method(), precision);
      options.hessian = derivatives > 1;
      // Coincident points give only a few different pairs, so that only the direct sum, which they
      // get by default, keeps the promise.
      if (name() == "coincident") options.direct_pairs = Options{}.direct_pairs;
      const std::string asked = "tolerance 1e" + std::to_string(std::lround(std::log10(tolerance)));
      // Fewer levels where expansions are long.
      if (tolerance < 1e-6) options.leaf_capacity = 50;
      const auto check = [&](const std::vector<double>& all, std::size_t size, bool of_charges,
                             const std::vector<Reference>& references, const char* what) {
        std::vector<double> given = part(all, size, draw);
        given.insert(given.end(), all.begin() + draws * size, all.end());
        options.dipoles = !of_charges;
        options.rhs = static_cast<int>(given.size() / size);
        const auto op = make({from_, to_}, options);
        const double kept = op->info().kept_tolerance;
        const HostStrengths strengths =
            of_charges ? HostStrengths{.charges = given} : HostStrengths{.dipoles = given};
        expect_kept(backend_->apply(*op, strengths, derivatives, options.rhs), references, draw,
                    kept, what + asked);
        if (precision == Precision::float64 && tolerance >= 1e-6 &&
            (name() == "cube" || name() == "sphere")) {
          EXPECT_EQ(kept, tolerance) << what << asked;
        }
      };
      // For each tolerance one method has charges and the other one dipoles.
      if ((t % 2 == 0) == (method() == Method::fmm)) {
        check(q_, sources, true, references().of_charges, "charges, ");
      } else {
        check(d_, 3 * sources, false, references().of_dipoles, "dipoles, ");
      }
    }
  }

  std::vector<Vec3d> from_, to_;
  std::vector<double> q_, d_;
};

TEST_P(OperatorPromise, HoldsInDouble) { expect_kept(Precision::float64, {1e-2, 1e-5, 1e-12}, 1); }

TEST_P(OperatorPromise, HoldsForSecondDerivatives) {
  expect_kept(Precision::float64, {1e-3, 1e-8}, 2);
}

TEST_P(OperatorPromise, HoldsInFloat) {
  expect_kept(Precision::float32, {1e-2, 1e-3, 1e-4, 1e-5}, 1);
}

INSTANTIATE_TEST_SUITE_P(Distributions, OperatorPromise,
                         ::testing::Combine(::testing::ValuesIn(distribution_names()),
                                            ::testing::Values(Method::fmm, Method::treecode)),
                         [](const auto& instance) {
                           return contract_name(std::get<0>(instance.param)) + "_" +
                                  std::string(fmm::to_string(std::get<1>(instance.param)));
                         });

}  // namespace rankine::testing
