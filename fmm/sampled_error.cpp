#include "rankine/fmm/sampled_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::fmm {
namespace {

/// Squared error, result and terms, summed over components.
struct SquaredErrors {
  double error = 0.0, result = 0.0, terms = 0.0;

  SquaredErrors& operator+=(const SquaredErrors& other) {
    error += other.error;
    result += other.result;
    terms += other.terms;
    return *this;
  }
  double relative() const {
    const double size = std::max(result, terms);
    return std::sqrt(size > 0.0 ? error / size : error);
  }
};

/// The squares of the values and of their derivatives.
using SquaresAt = std::array<SquaredErrors, 2>;

/// The sums at a target, and the sums of the squares of their terms.
struct Sums {
  double sum[most_components] = {}, squares[most_components] = {};
};

template <PairTerms terms, class Kernel>
Sums sums_at(const Kernel& kernel, const Vec3d& target, const Points& points,
             const Strengths& strengths) {
  Sums sums;
  for (std::size_t j = 0; j < points.sources.size(); ++j) {
    const Vec3d r = target - points.sources[j];
    const double r2 = dot(r, r);
    if (r2 == 0.0) continue;
    const double inverse_core = Kernel::vortices ? 1.0 / points.core_radii[j] : 0.0;
    const auto pair =
        kernel.pair(r.x, r.y, r.z, 1.0 / std::sqrt(kernel.under_root(r2)), inverse_core);
    double term[running_sums(terms)] = {};
    if constexpr (Kernel::vortices) {
      Kernel::template add<terms>(pair, 0.0, &strengths.vortices[3 * j], term);
    } else {
      constexpr double no_dipole[3] = {};
      Kernel::template add<terms>(pair, strengths.charges[j], no_dipole, term);
    }
    Kernel::template finish<terms>(term);
    for (int c = 0; c < components(terms); ++c) {
      sums.sum[c] += term[c];
      sums.squares[c] += term[c] * term[c];
    }
  }
  return sums;
}

/// Compares components `first` to `first + width` with the results at target i.
SquaredErrors compared(const Sums& exact, int first, std::span<const double> found,
                       std::size_t width, std::size_t i) {
  SquaredErrors squares;
  if (found.empty()) return squares;
  for (std::size_t c = 0; c < width; ++c) {
    const double sum = exact.sum[first + static_cast<int>(c)];
    const double error = found[width * i + c] - sum;
    squares += {error * error, sum * sum, exact.squares[first + static_cast<int>(c)]};
  }
  return squares;
}

}  // namespace

SampledErrors sampled_errors(const Points& points, const Options& options,
                             const Strengths& strengths, const Results& found,
                             std::span<const std::size_t> sampled) {
  std::vector<SquaresAt> at(sampled.size());
  with_kernel<double>({options.kernel, options.softening}, [&](const auto& kernel) {
    with_terms_of(kernel, true, false, derivatives(found), [&](auto terms) {
      parallel_chunks(sampled.size(), 1, [&](std::size_t s) {
        const std::size_t i = sampled[s];
        const Sums exact = sums_at<terms()>(kernel, points.targets[i], points, strengths);
        at[s] =
            terms().vortices
                ? SquaresAt{compared(exact, 0, found.velocity, 3, i),
                            compared(exact, velocity_gradient_at, found.velocity_gradient, 9, i)}
                : SquaresAt{compared(exact, 0, found.potential, 1, i),
                            compared(exact, gradient_at, found.gradient, 3, i)};
      });
    });
  });
  SquaresAt total;
  for (const SquaresAt& each : at) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += each[k];
  }
  return {total[0].relative(), total[1].relative()};
}

}  // namespace rankine::fmm
