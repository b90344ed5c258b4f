// Potential of random charges, phi(x_i) = sum_j q_j / |x_i - x_j|, and how far it is from the sum.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "rankine/fmm/cpu_operator.hpp"

int main() {
  using rankine::Vec3d;
  const std::size_t n = 100'000;
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Vec3d> points(n);
  std::vector<double> charges(n), potential(n);
  for (Vec3d& x : points) x = {uniform(generator), uniform(generator), uniform(generator)};
  for (double& q : charges) q = uniform(generator);

  const rankine::fmm::Options options{.tolerance = 1e-6};
  const auto sum = rankine::fmm::make_cpu_operator({.sources = points, .targets = points}, options);
  sum->apply({.charges = charges}, {.potential = potential});

  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < n; i += n / 100) {
    double exact = 0.0;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) exact += charges[j] / norm(points[i] - points[j]);
    error += (potential[i] - exact) * (potential[i] - exact);
    size += exact * exact;
  }
  std::printf("relative error of %zu potentials: %.1e\n", n, std::sqrt(error / size));
  return std::sqrt(error / size) < options.tolerance ? 0 : 1;
}
