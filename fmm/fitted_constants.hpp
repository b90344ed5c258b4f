// Numbers of fmm that were fitted to measurements, with the effect of an error of a factor of two.
//
// Only `aim` affects the error of sums; tests/fmm checks the promised tolerance on every
// distribution of fmm/distributions.hpp. All others choose between ways to compute the same sums.
#pragma once

namespace rankine::fmm::fitted {

/// The error that the estimate of fmm/truncation.hpp must reach for a tolerance of 1. The margin
/// covers the worst of several draws of strengths and pairs that the sample misses.
/// Fitted to: OperatorPromise and PromiseHoldsFor... of tests/fmm: all distributions, three draws
/// of strengths and five structured ones. Fit again: the largest numbers with which these tests
/// pass. Valid for: tolerances from 1e-12 to 0.1. Factor of two: 0.3 digits, about one order of
/// expansions.
struct Aim {
  double charges = 0.5;
  double on_curve = 0.3;   ///< few boxes on every level: the sample has few pairs
  double softened = 0.12;  ///< overlapping cores: sums are small against their nearest terms
  double dipoles = 0.08;   ///< smooth double layers: sums are small against their terms
};
inline constexpr Aim aim;

/// Limits of the mean number of children of boxes with several children: two for a line, four or
/// five for a surface, nearly eight for a volume. They lie between these counts, so that
/// their exact values do not matter.
inline constexpr double most_children_of_curve = 3.6, most_children_of_surface = 5.6;

/// Digits that the sum of all expansions loses against one M2L at offset (2, 0, 0), from which the
/// first guess of the order follows; fmm/truncation.hpp then finds the order.
/// Fitted to: the errors of sums over the distributions of fmm/distributions.hpp. Fit again:
/// `rankine bench --order P --points D`. Factor of two: a first guess that differs by one or two
/// orders.
inline constexpr double lost_by_summation = 0.15, lost_by_smooth_dipoles = 0.5;

/// Digits by which translations at other offsets are more accurate than at offset (2, 0, 0). There
/// are many of them, so that only with these digits they add little to the error, at a small cost.
/// The estimate of the error includes them. Factor of two: one order at those offsets.
inline constexpr double extra_digits = 0.4;

/// Seconds on one core with AVX-512, between those of two machines (docs/performance.md); narrower
/// vectors change all alike. They choose the leaf capacity.
/// Fit again: `rankine bench --breakdown --threads 1`, pass time over pairs and translations.
/// Factor of two in a ratio: 4 % of the predicted time on average, at most 48 % (six distributions,
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
  /// One of two pairs that are summed at once, over one that is not.
  double mutual = 0.58, mutual_gradient = 0.72;
  /// The share of a pair's cost that every right-hand side adds; the rest is shared.
  double of_rhs = 0.4;
  /// M2L of order p: m2l_least + m2l_16 (p / 16)^m2l_power.
  double m2l_least = 8e-9, m2l_16 = 180e-9, m2l_power = 2.6;
  /// The share by which M2L costs more for every dimension below three (PassCosts).
  double m2l_uneven = 0.6;
};
inline constexpr CpuCosts cpu_costs;

/// Numbers of pairs and translations of a tree of points of dimension D, against those of equal
/// leaves: neighbours are more by `near` (3 - D), far boxes fewer by `far` (3 - D). M2M and L2L of
/// a box cost as much as `vertical` M2L of the mean order. Fitted to: counts of trees of all
/// distributions of fmm/distributions.hpp, 60000 points. Fit again: LeafTuning and LeafPairs of
/// tests/fmm/tuning_test.cpp compare them with counts.
struct Unevenness {
  double near = 0.6, far = 0.4, vertical = 8.0;
};
inline constexpr Unevenness unevenness;

/// Another root is worth a second tree if its predicted seconds are below this share of those of
/// the first. The margin is the error of predictions: for volumes, and in addition for every
/// dimension below three. A wrong choice costs the time of one tree. Fitted to: RootRoom of
/// tests/fmm/tuning_test.cpp.
inline constexpr double worth_building = 0.94, worth_building_per_dimension = 0.12;

}  // namespace rankine::fmm::fitted
