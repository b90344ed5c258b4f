// Predictions by least squares in a plane: exact for what they are made of, with fewer samples for less.
#include "rankine/bem/panels/prediction.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace rankine::bem {
namespace {

std::vector<PlaneSample> samples_of(std::size_t count, double stretch,
                                    double (*f)(double, double)) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<PlaneSample> samples;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = stretch * uniform(generator), y = 0.4 * x + uniform(generator);
    samples.push_back({x, y, f(x, y)});
  }
  return samples;
}

double predicted_of(const std::vector<PlaneSample>& samples) {
  const auto sample = [&](int k) {
    const PlaneSample& s = samples[static_cast<std::size_t>(k)];
    return PlaneSamples<1>{s.x, s.y, {s.value}};
  };
  const auto count = static_cast<int>(samples.size());
  return OriginPrediction<1, double>(count, count, sample, 0.0).values()[0];
}

TEST(PredictOrigin, IsExactForQuadraticsPlanesAndConstants) {
  const auto quadratic = [](double x, double y) {
    return 7.0 - x + 2.0 * y + 0.5 * x * x - 3.0 * x * y + y * y;
  };
  const auto plane = [](double x, double y) { return 7.0 - x + 2.0 * y; };
  const auto constant = [](double, double) { return 7.0; };
  for (const double stretch : {1.0, 300.0}) {  // panels may be long
    EXPECT_NEAR(predicted_of(samples_of(12, stretch, quadratic)), 7.0, 1e-9 * stretch * stretch);
    EXPECT_NEAR(predicted_of(samples_of(5, stretch, plane)), 7.0, 1e-9 * stretch);
    EXPECT_NEAR(predicted_of(samples_of(1, stretch, constant)), 7.0, 1e-12);
  }
  EXPECT_EQ(predicted_of({}), 0.0);
  // On a line neither is fixed: the mean.
  EXPECT_NEAR(predicted_of({{-1.0, 0.0, 2.0}, {1.0, 0.0, 4.0}, {2.0, 0.0, 6.0}, {-2.0, 0.0, 0.0}}),
              3.0, 1e-12);
}

}  // namespace
}  // namespace rankine::bem
