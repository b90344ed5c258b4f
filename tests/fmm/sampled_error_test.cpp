// Errors at sampled targets, relative to the larger of results and terms.
#include "rankine/fmm/sampled_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::fmm {
namespace {

/// A direct sum in double.
struct Sum {
  Options options;
  std::vector<Vec3d> sources, targets;
  std::vector<double> strengths, cores, value, derivative;

  Sum(Kernel kernel, std::vector<Vec3d> from, std::vector<Vec3d> to, std::vector<double> given)
      : sources(std::move(from)), targets(std::move(to)), strengths(std::move(given)) {
    options.kernel = kernel;
    options.method = Method::direct;
    options.gradient = true;
    if (kernel == Kernel::plummer) options.softening = 0.1;
    if (vortices()) cores.assign(sources.size(), 0.1);
    value.resize((vortices() ? 3 : 1) * targets.size());
    derivative.resize((vortices() ? 9 : 3) * targets.size());
    make_cpu_operator(points(), options)->apply(given_strengths(), results());
  }

  bool vortices() const { return is_vortex(options.kernel); }
  Points points() const { return {.sources = sources, .targets = targets, .core_radii = cores}; }
  Strengths given_strengths() const {
    if (vortices()) return {.vortices = strengths};
    return {.charges = strengths};
  }
  Results results() {
    if (vortices()) return {.velocity = value, .velocity_gradient = derivative};
    return {.potential = value, .gradient = derivative};
  }
  SampledErrors errors(const std::vector<std::size_t>& sampled) {
    return sampled_errors(points(), options, given_strengths(), results(), sampled);
  }
};

constexpr double wrong = 1e-3;

void spoil(std::vector<double>& values) {
  for (double& each : values) each *= 1.0 + wrong;
}

TEST(SampledErrors, AreThoseOfTheResultsForOneSource) {
  for (const Kernel kernel :
       {Kernel::laplace, Kernel::plummer, Kernel::vortex_exponential, Kernel::vortex_gaussian}) {
    const bool vortices = is_vortex(kernel);
    Sum sum(kernel, {{0.1, 0.2, 0.3}}, make_points("cube", 20, 3),
            vortices ? std::vector{1.0, -2.0, 0.5} : std::vector{-3.0});
    const std::vector<std::size_t> sampled{2, 3, 11};
    EXPECT_LE(sum.errors(sampled).largest(), 1e-15 * 20) << to_string(kernel);
    spoil(sum.value);
    EXPECT_NEAR(sum.errors(sampled).value, wrong, 1e-13) << to_string(kernel);
    EXPECT_LE(sum.errors(sampled).derivative, 1e-15 * 20) << to_string(kernel);
    spoil(sum.derivative);
    EXPECT_NEAR(sum.errors(sampled).derivative, wrong, 1e-13) << to_string(kernel);
    EXPECT_EQ(sum.errors(sampled).largest(),
              std::max(sum.errors(sampled).value, sum.errors(sampled).derivative));
  }
}

TEST(SampledErrors, AreThoseOfTheTargetsThatAreSampled) {
  Sum sum(Kernel::laplace, make_points("cube", 50, 1), make_points("cube", 10, 2),
          make_strengths(50, 3));
  sum.value[4] += 1.0;
  EXPECT_LE(sum.errors({0, 1, 3, 5, 9}).value, 1e-14);
  EXPECT_GT(sum.errors({0, 4}).value, 1e-3);
}

TEST(SampledErrors, AreRelativeToTheTermsWhereTheseCancel) {
  // Two opposite charges, d apart: the squares of the terms are 2 / r^2, that of the sum is d^2 /
  // r^4.
  const double d = 1e-3, r = 2.0;
  Sum sum(Kernel::laplace, {{0, 0, 0.5 * d}, {0, 0, -0.5 * d}}, {{0, 0, r}}, {1.0, -1.0});
  spoil(sum.value);
  EXPECT_NEAR(sum.errors({0}).value, wrong * d / (r * std::sqrt(2.0)), wrong * d * d);
}

}  // namespace
}  // namespace rankine::fmm
