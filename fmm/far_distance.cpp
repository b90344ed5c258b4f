#include "rankine/fmm/far_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t targets_drawn = 200, sources_drawn = 2000;
/// Bins of distances, each a quarter of an octave, from 2^-12 to 2^8 times far_distance_of_pair, at
/// which bin `bound` begins; the last bin contains all larger ones.
constexpr int bins_per_octave = 4, bound = 12 * bins_per_octave, bins = bound + 8 * bins_per_octave;
/// Smallest number of sampled pairs up to a bin for which the bin is representative.
constexpr double enough_pairs = 64.0;

double bin_begin(int bin) { return std::exp2(static_cast<double>(bin - bound) / bins_per_octave); }

/// The bin of a distance, whose square is given in squares of far_distance_of_pair.
int bin_of(double ratio2) {
  int exponent = 0;
  const double fraction = std::frexp(ratio2, &exponent);
  return std::clamp(bound - 2 + 2 * exponent + (fraction >= std::sqrt(0.5) ? 1 : 0), 0, bins);
}

constexpr PairTerms all_charge_terms{true, false, 2}, all_dipole_terms{false, true, 2};
constexpr int values = components(all_charge_terms);

int highest_derivative(const Options& options) {
  return options.hessian ? 2 : (options.gradient ? 1 : 0);
}

/// `count` points drawn at random, or all points if they are no more than that.
std::vector<Vec3d> drawn(std::span<const Vec3d> points, std::size_t count, std::uint64_t seed) {
  if (points.size() <= count) return {points.begin(), points.end()};
  Uniform random(seed);
  std::vector<Vec3d> some(count);
  for (Vec3d& each : some) each = points[random.below(points.size())];
  return some;
}

/// The structured strengths of one source: all equal, and of opposite sign on both sides of a
/// plane.
constexpr int patterns = 4;
std::array<double, patterns> strengths_at(const Vec3d& source, const Vec3d& middle) {
  std::array<double, patterns> strength{1.0};
  for (int axis = 0; axis < 3; ++axis)
    strength[1 + axis] = source[axis] < middle[axis] ? -1.0 : 1.0;
  return strength;
}

using Terms = std::array<double, values>;

/// The softened term of a pair for one kind of strengths (as in pair_kind), and the excess of the
/// term of 1/r over it.
struct SoftenedPair {
  Terms term{}, excess{};

  SoftenedPair(const Vec3d& r, double r2, double softening2, int strength) {
    const Vec3d along = normalized(Vec3d{1.0, -2.0, 0.5});
    const double dipole[3] = {along.x, along.y, along.z};
    const auto add = [&](double under_root, double* sum) {
      const auto pair = Laplace::pair(r.x, r.y, r.z, 1.0 / std::sqrt(under_root));
      if (strength == 0) {
        Laplace::add<all_charge_terms>(pair, 1.0, dipole, sum);
      } else {
        Laplace::add<all_dipole_terms>(pair, 0.0, dipole, sum);
      }
    };
    add(r2 + softening2, term.data());
    add(r2, excess.data());
    for (int c = 0; c < values; ++c) excess[c] -= term[c];
  }
};

constexpr int first_value[most_derivatives + 2] = {0, gradient_at, hessian_at, values};

double square(const Terms& terms, int derivative) {
  double sum = 0.0;
  for (int c = first_value[derivative]; c < first_value[derivative + 1]; ++c)
    sum += terms[c] * terms[c];
  return sum;
}

/// Sums of squares over the targets, by derivative: of the results for random strengths and for
/// each pattern, and of the errors from pairs of a bin and beyond.
struct Squares {
  double random[3] = {}, pattern[patterns][3] = {};
  double random_error[bins + 1][3] = {}, pattern_error[bins + 1][patterns][3] = {};
  double pairs[bins + 1] = {};  ///< drawn, by bin
};

/// The source nearest to a target, except sources at the same point.
std::size_t nearest(const Vec3d& target, std::span<const Vec3d> sources) {
  std::size_t found = 0;
  double least = std::numeric_limits<double>::max();
  for (std::size_t j = 0; j < sources.size(); ++j) {
    const Vec3d r = target - sources[j];
    const double r2 = dot(r, r);
    if (r2 == 0.0 || r2 >= least) continue;
    least = r2;
    found = j;
  }
  return found;
}

/// The squares of one target. The sizes exclude the nearest source, since in a sample a single
/// close pair would outweigh the others more than it does among all points. Each drawn source
/// represents `times` sources: products of two different sources are multiplied by times^2, squares
/// of one by `times`.
Squares squares_at(const Vec3d& target, std::span<const Vec3d> sources, const Vec3d& middle,
                   double times, double softening2, double bound2, int strength) {
  std::array<Terms, patterns> sum{};
  std::vector<std::array<Terms, patterns>> error(bins + 1);
  Squares result;
  const std::size_t left_out = nearest(target, sources);
  for (std::size_t j = 0; j < sources.size(); ++j) {
    const Vec3d& y = sources[j];
    const Vec3d r = target - y;
    const double r2 = dot(r, r);
    if (r2 == 0.0) continue;
    const int bin = bin_of(r2 / bound2);
    result.pairs[bin] += 1.0;
    const SoftenedPair pair(r, r2, softening2, strength);
    const auto q = strengths_at(y, middle);
    for (int d = 0; d < 3; ++d) {
      if (j != left_out) result.random[d] += square(pair.term, d);
      result.random_error[bin][d] += square(pair.excess, d);
    }
    for (int p = 0; p < patterns; ++p) {
      for (int c = 0; c < values; ++c) {
        if (j != left_out) sum[p][c] += q[p] * pair.term[c];
        error[bin][p][c] += q[p] * pair.excess[c];
      }
    }
  }
  const auto of_all = [&](double of_sum, double of_terms) {
    return times * times * (of_sum - of_terms) + times * of_terms;
  };
  for (int d = 0; d < 3; ++d) {
    for (int p = 0; p < patterns; ++p)
      result.pattern[p][d] = of_all(square(sum[p], d), result.random[d]);
  }
  for (int bin = bins; bin >= 0; --bin) {
    for (int p = 0; p < patterns && bin < bins; ++p) {
      for (int c = 0; c < values; ++c) error[bin][p][c] += error[bin + 1][p][c];
    }
    for (int d = 0; d < 3; ++d) {
      if (bin < bins) result.random_error[bin][d] += result.random_error[bin + 1][d];
      for (int p = 0; p < patterns; ++p) {
        result.pattern_error[bin][p][d] =
            of_all(square(error[bin][p], d), result.random_error[bin][d]);
      }
    }
  }
  for (int d = 0; d < 3; ++d) {
    result.random[d] *= times;
    for (int bin = 0; bin <= bins; ++bin) result.random_error[bin][d] *= times;
  }
  return result;
}

Squares sum_of(const std::vector<Squares>& all) {
  Squares total;
  for (const Squares& each : all) {
    for (int bin = 0; bin <= bins; ++bin) total.pairs[bin] += each.pairs[bin];
    for (int d = 0; d < 3; ++d) {
      total.random[d] += each.random[d];
      for (int p = 0; p < patterns; ++p) total.pattern[p][d] += each.pattern[p][d];
      for (int bin = 0; bin <= bins; ++bin) {
        total.random_error[bin][d] += each.random_error[bin][d];
        for (int p = 0; p < patterns; ++p)
          total.pattern_error[bin][p][d] += each.pattern_error[bin][p][d];
      }
    }
  }
  return total;
}

/// Extrapolates to bins with too few drawn pairs, assuming numbers of pairs proportional to r^D.
/// The errors of single pairs are added there with random signs; for potentials and second
/// derivatives, whose errors have one sign on average, their mean is also added.
void extrapolate(Squares& squares, std::size_t targets, double times, double softening2,
                 double bound2, int strength) {
  double nearer[bins + 1];  // pairs in the bin and in nearer bins
  double sum = 0.0;
  int first = bins;
  for (int bin = 0; bin <= bins; ++bin) {
    nearer[bin] = sum += squares.pairs[bin];
    if (sum >= enough_pairs) first = std::min(first, bin);
  }
  const int other = std::min(first + 2 * bins_per_octave, bins);
  if (first == other) return;
  const double dimension = std::clamp(
      std::log2(nearer[other] / nearer[first]) * bins_per_octave / (other - first), 0.5, 3.0);
  const auto count = static_cast<double>(targets);
  double random_error[3] = {}, mean_error[3] = {};
  for (int bin = first - 1; bin >= 0; --bin) {
    const double up_to = nearer[first] * std::exp2(dimension * (bin - first) / bins_per_octave),
                 here = up_to * (1.0 - std::exp2(-dimension / bins_per_octave));
    const auto pair_at = [&](double distance) {
      return SoftenedPair({distance, 0.0, 0.0}, distance * distance, softening2, strength);
    };
    const Terms excess = pair_at(std::sqrt(bound2) * bin_begin(bin)).excess,
                term = pair_at(std::sqrt(bound2) * bin_begin(bin + 1)).term;
    for (int d = 0; d < 3; ++d) {
      random_error[d] += here * times * square(excess, d);
      mean_error[d] += d == 1 ? 0.0 : here * times / count * std::sqrt(square(excess, d));
      squares.random_error[bin][d] = squares.random_error[first][d] + random_error[d];
      for (int p = 0; p < patterns; ++p) {
        const double far = std::sqrt(std::max(0.0, squares.pattern_error[first][p][d]) / count);
        squares.pattern_error[bin][p][d] =
            count * std::pow(far + mean_error[d], 2) + random_error[d];
      }
      // With about one such pair per target, most targets have one, and it counts in the size of
      // their sums.
      if (up_to * times >= count) squares.random[d] += here * times * square(term, d);
    }
  }
}

/// True if the error of pairs in bin `bin` and beyond is within its share of the tolerance.
bool kept(const Squares& squares, int bin, const Options& options) {
  const double least = std::pow(far_share * options.tolerance, 2);
  for (int d = 0; d <= highest_derivative(options); ++d) {
    if (squares.random_error[bin][d] > least * squares.random[d]) return false;
    for (int p = 0; p < patterns; ++p) {
      const double size = std::max(squares.pattern[p][d], squares.random[d]);
      if (squares.pattern_error[bin][p][d] > least * size) return false;
    }
  }
  return true;
}

double plummer_distance(const Points& points, const Options& options) {
  const double of_pair = far_distance_of_pair(options), bound2 = of_pair * of_pair,
               softening2 = options.softening * options.softening;
  if (of_pair == 0.0 || points.sources.empty() || points.targets.empty()) return of_pair;
  const std::vector<Vec3d> sources = drawn(points.sources, sources_drawn, 1),
                           targets = drawn(points.targets, targets_drawn, 2);
  const double times =
      static_cast<double>(points.sources.size()) / static_cast<double>(sources.size());
  Vec3d middle;
  for (const Vec3d& y : sources) middle += y * (1.0 / static_cast<double>(sources.size()));
  int bin = 0;
  for (int strength = 0; strength < (options.dipoles ? 2 : 1); ++strength) {
    std::vector<Squares> of_target(targets.size());
    parallel_chunks(targets.size(), 8, [&](std::size_t i) {
      of_target[i] = squares_at(targets[i], sources, middle, times, softening2, bound2, strength);
    });
    Squares squares = sum_of(of_target);
    extrapolate(squares, targets.size(), times, softening2, bound2, strength);
    int least = bound;
    while (least > 0 && kept(squares, least - 1, options)) --least;
    bin = std::max(bin, least);
  }
  return of_pair * bin_begin(bin);
}

/// The smallest rho beyond which velocities and, if requested, their gradients differ from those of
/// a vortex without a core by at most the share of the tolerance.
template <class Core>
double core_distance(const Vortex<Core>&, const Options& options) {
  const double share = far_share * options.tolerance;
  const bool gradient = expansion_options(options).hessian;
  const auto is_kept = [&](double rho) {
    const auto [q, slope] = Core::factors(rho);
    return std::abs(1.0 - q) <= share && (!gradient || std::abs(1.0 + slope / 3.0) <= share);
  };
  constexpr double step = 0.01;
  double rho = Core::beyond;
  while (is_kept(rho - step)) rho -= step;
  return rho;
}

}  // namespace

double far_distance_of_pair(const Options& options) {
  if (is_vortex(options.kernel)) {
    return with_kernel<double>({.kernel = options.kernel}, [&](const auto& term) {
      if constexpr (std::decay_t<decltype(term)>::vortices) {
        return core_distance(term, options);
      } else {
        return 0.0;
      }
    });
  }
  if (options.kernel != Kernel::plummer) return 0.0;
  const double derivative = highest_derivative(options) + (options.dipoles ? 1 : 0);
  return options.softening *
         std::sqrt((derivative + 1.0) * (derivative + 2.0) / (4.0 * far_share * options.tolerance));
}

double far_distance(const Points& points, const Options& options) {
  if (options.kernel == Kernel::plummer) return plummer_distance(points, options);
  if (!is_vortex(options.kernel) || points.core_radii.empty()) return 0.0;
  return far_distance_of_pair(options) *
         *std::max_element(points.core_radii.begin(), points.core_radii.end());
}

}  // namespace rankine::fmm
