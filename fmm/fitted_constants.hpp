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

/// Digits by which translations at other offsets are more accurate than at offset (2, 0, 0). There
/// are many such offsets; with these digits their contribution to the error is small, at a small
/// cost. The estimate of the error includes them. Factor of two: one order at those offsets.
inline constexpr double extra_digits = 0.4;

/// Digits by which the sum of all expansions is less accurate than a single M2L at offset (2, 0,
/// 0). They determine the first estimate of the order, for which the leaf capacity is chosen;
/// fmm/truncation.hpp then finds the order. Factor of two: the estimate changes by at most one
/// order; an order too low costs a device 15 % (a cube of 10^6 points in float, tolerance 3e-3).
inline constexpr double lost_by_summation = 0.15;

/// Seconds on one core with AVX-512, between those of two machines (docs/performance.md); narrower
/// SIMD vectors change all of them by the same factor. They determine the leaf capacity. To fit
/// again: `rankine bench --breakdown --threads 1`, pass time over pairs and translations. Factor of
/// two in a ratio: 4 % of the predicted time on average, at most 48 % (six distributions,
/// tolerances 1e-3 to 1e-9); a factor of 1.1: at most 2 %.
struct CpuCosts {
  /// One pair in double, charges alone, and a coefficient of an expansion at a point; `derivative`
  /// times that for gradients and again for dipoles.
  double pair = 0.26e-9, derivative = 1.6;
  /// A pair of vortices with exponential cores; twice that with Gaussian ones.
  double vortices = 1.25e-9;
  /// Cost of a pair that is summed together with its reverse, relative to a single pair.
  double mutual = 0.65;
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

/// The fraction of its predicted time that a second tree with another root must save, for volumes;
/// two and three times that on surfaces and lines, for which predictions are less accurate. A wrong
/// choice costs the time to build one tree. Fitted to: RootRoom of tests/fmm/tuning_test.cpp.
/// Factor of two: 1 % of the predicted time on average.
inline constexpr double worth_building = 0.06;

/// Roots are padded so that the longest edge of the points is an integer number of boxes on the
/// level with this number of boxes along the root. Factor of two: no change on average, 4 % of the
/// predicted time in single cases.
inline constexpr int padded_boxes = 32;

}  // namespace rankine::fmm::fitted
