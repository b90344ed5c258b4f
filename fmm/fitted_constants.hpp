// Constants of fmm that were fitted to measurements, each with the effect of a change by a factor
// of two.
//
// Only `aim` affects the error of sums; tests/fmm checks the promised tolerance for every
// distribution of fmm/distributions.hpp. All others choose among methods to compute the same sums.
#pragma once

namespace rankine::fmm::fitted {

/// The error that the estimate of fmm/truncation.hpp must reach for a tolerance of 1. The margin
/// covers the worst of several random strengths, and pairs that are not in the sample. Fitted to:
/// OperatorPromise and PromiseHoldsFor... of tests/fmm: all distributions, three sets of random
/// strengths and five of structured ones. To fit again: the largest values with which these tests
/// pass. Valid for tolerances from 1e-12 to 0.1. Factor of two: 0.3 digits, about one order of
/// expansions.
struct Aim {
  double charges = 0.5;
  double on_curve = 0.3;   ///< few boxes on every level: the sample has few pairs
  double softened = 0.12;  ///< overlapping cores: sums are small against their nearest terms
  double dipoles = 0.08;   ///< smooth double layers: sums are small against their terms
};
inline constexpr Aim aim;

/// Limits of the mean number of children of boxes with several children: two for a line, four or
/// five for a surface, nearly eight for a volume. The limits are between these counts, so their
/// exact values do not matter.
inline constexpr double most_children_of_curve = 3.6, most_children_of_surface = 5.6;

/// Digits by which the sum of all expansions is less accurate than a single M2L at offset (2, 0,
/// 0). They determine the first estimate of the order; fmm/truncation.hpp then finds the order.
/// Fitted to: the errors of sums over the distributions of fmm/distributions.hpp. To fit again:
/// `rankine bench --order P --points D`. Factor of two: the first estimate changes by one or two
/// orders.
inline constexpr double lost_by_summation = 0.15, lost_by_smooth_dipoles = 0.5;

/// Digits by which translations at other offsets are more accurate than at offset (2, 0, 0). There
/// are many such offsets; with these digits their contribution to the error is small, at a small
/// cost. The estimate of the error includes them. Factor of two: one order at those offsets.
inline constexpr double extra_digits = 0.4;

/// Seconds on one core with AVX-512, between those of two machines (docs/performance.md); narrower
/// SIMD vectors change all of them by the same factor. They determine the leaf capacity. To fit
/// again: `rankine bench --breakdown --threads 1`, pass time over pairs and translations. Factor of
/// two in a ratio: 4 % of the predicted time on average, at most 48 % (six distributions,
/// tolerances 1e-3 to 1e-9); a factor of 1.1: at most 2 %.
struct CpuCosts {
  /// One pair in double, charges alone, and a coefficient of an expansion at a point.
  double pair = 0.26e-9;
  double pair_gradient_or_dipoles = 0.42e-9;
  double pair_gradient_and_dipoles = 0.63e-9;
  struct Point {
    double pair, coefficient;
  };
  Point exponential{1.25e-9, 0.42e-9}, exponential_gradient{2.2e-9, 0.9e-9};
  Point gaussian{2.5e-9, 0.42e-9}, gaussian_gradient{3.8e-9, 0.9e-9};
  /// Cost of a pair that is summed together with its reverse, relative to a single pair.
  double mutual = 0.58, mutual_gradient = 0.72;
  /// The fraction of a pair's cost for every right-hand side; the rest is shared.
  double of_rhs = 0.4;
  /// M2L of order p: m2l_least + m2l_16 (p / 16)^m2l_power.
  double m2l_least = 8e-9, m2l_16 = 180e-9, m2l_power = 2.6;
  /// Relative increase of the cost of M2L for every dimension below three (PassCosts).
  double m2l_uneven = 0.6;
};
inline constexpr CpuCosts cpu_costs;

/// Numbers of pairs and translations in a tree of points of dimension D, relative to those with
/// equal leaves: the number of neighbours is larger by `near` (3 - D), that of far boxes smaller by
/// `far` (3 - D). M2M and L2L of a box cost as much as `vertical` M2L of the mean order. Fitted to:
/// counts of trees of all distributions of fmm/distributions.hpp, 60000 points. To fit again:
/// LeafTuning and LeafPairs of tests/fmm/tuning_test.cpp compare them with counts.
struct Unevenness {
  double near = 0.6, far = 0.4, vertical = 8.0;
};
inline constexpr Unevenness unevenness;

/// A second tree with another root is built if its predicted time is below this fraction of that of
/// the first. The margin is the error of predictions: for volumes, and an addition for every
/// dimension below three. A wrong choice costs the time to build one tree. Fitted to: RootRoom of
/// tests/fmm/tuning_test.cpp.
inline constexpr double worth_building = 0.94, worth_building_per_dimension = 0.12;

}  // namespace rankine::fmm::fitted
