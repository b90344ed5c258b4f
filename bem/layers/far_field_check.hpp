// Checks whether a far field meets its tolerance for the vectors of a solve, and refines it if not.
//
// The order of the expansions is chosen for random charges. The densities of a solve are smooth and
// its layers cancel, so the relative truncation error of the small result can be larger. Therefore
// some sums of the solve are compared with direct sums at sample points. If their relative L2 error
// e exceeds the tolerance, the order is raised until the error of an M2L to the nearest boxes has
// fallen by the factor e / tolerance. This happens at most three times. Tree and lists are kept. An
// error of 1.1 times the tolerance is accepted. If a few points dominate the error, the sample may
// have missed others like them. Therefore three standard deviations are added to the square of the
// sampled error to obtain e.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/far_field.hpp"
#include "rankine/bem/layers/sampled_sums.hpp"

namespace rankine::bem {

/// The vectors of a solve whose sums are measured.
enum class SolveVector { known_values, krylov_vector, solution, potential };
inline constexpr std::size_t solve_vector_count = 4;

/// Why a far field was not made more accurate.
enum class RefinementLimit {
  none,
  order_given,     ///< fmm::Options::order
  precision,       ///< fmm::least_tolerance() is reached, or sums are direct already
  no_gain,         ///< two refinements did not reduce the error
  refined_enough,  ///< it was refined three times
  memory           ///< a more accurate one does not fit into memory
};

/// One refinement: an order that was raised because the error of the sums was too large.
struct FarFieldRefinement {
  SolveVector vector;  ///< the vector with this error
  double error = 0.0;  ///< relative L2, of the worst right-hand side
  int order_before = 0, order = 0;
};

/// The measured accuracy of a far field in a solve.
struct FarFieldAccuracy {
  double asked = 0.0;  ///< requested relative L2 error of the sums
  /// For random strengths: the first, divided by the gains of the refinements.
  double tolerance = 0.0;
  int samples = 0;  ///< points at which they were measured
  /// By SolveVector: errors of the last sums, for the worst right-hand side; zero if not measured.
  std::array<double, solve_vector_count> errors{};
  std::vector<FarFieldRefinement> refinements;
  RefinementLimit limit = RefinementLimit::none;  ///< why refinement ended above the tolerance

  SolveVector worst() const;
  double error(SolveVector vector) const { return errors[static_cast<std::size_t>(vector)]; }
  /// Whether all errors are below 1.1 times `asked`.
  bool kept() const;
};

/// The options for the first build of sums whose errors are compared with the tolerance of `asked`
/// at `samples` points. For gradients the tolerance is smaller: orders are chosen for random
/// strengths, and gradients at a surface have larger errors.
fmm::Options first_options(const fmm::Options& asked, int samples);

/// The errors that must meet the tolerance if combinations of the solutions of several right-hand
/// sides are wanted. Each row of `weights` is one combination; with errors e_k of the right-hand
/// sides its error is sum_k w_k e_k. If there are no rows, or if some solves have ended, the errors
/// are those of the solutions themselves.
struct CombinedErrors {
  std::vector<std::vector<double>> weights;

  /// The largest error.
  double largest(std::span<const double> errors) const;
};

class FarFieldCheck {
 public:
  /// For a far field built with first_options(). Measures at most `samples` points; 0: measures
  /// nothing. `far` must outlive this object.
  FarFieldCheck(FarField& far, const fmm::Options& options, int samples, CombinedErrors combined);

  /// y += alpha times the sums of `op` for x (BoundaryOperator::add_far), after refinement if
  /// necessary. Returns the results at the sample points, one per right-hand side; they are empty
  /// if nothing is measured.
  std::vector<SampledValues> add_far(BoundaryOperator& op, SolveVector vector, double alpha,
                                     const double* x, double* y, int rhs);
  /// The same without a comparison and without refinement.
  std::vector<SampledValues> sampled_add_far(BoundaryOperator& op, double alpha, const double* x,
                                             double* y, int rhs);
  /// Errors of the results `found` of the sums of `op` for x, one per right-hand side. The caller
  /// passes them to refinement_is_due().
  std::vector<SampledError> errors_of(BoundaryOperator& op, const double* x,
                                      std::span<const SampledValues> found);

  /// Records the errors of `vector`. Returns whether refine() can and should follow.
  bool refinement_is_due(SolveVector vector, const std::vector<SampledError>& errors);
  /// Raises the order as the last recorded errors require.
  void refine();

  /// Ends the checks: the sums are not changed any more.
  void finish() { samples_ = 0; }

  const FarFieldAccuracy& accuracy() const { return accuracy_; }
  /// Seconds spent on direct sums and comparisons, and on raising orders.
  double seconds() const { return seconds_; }
  double refinement_seconds() const { return refinement_seconds_; }

 private:
  bool measures(const BoundaryOperator& op) const { return samples_ > 0 && op.has_sums(); }
  SampledSums& samples();
  /// The direct sums of `op` for x at the sample points.
  std::vector<SampledValues> direct_sums(BoundaryOperator& op, const double* x, int rhs);
  std::vector<SampledError> errors(std::span<const SampledValues> found,
                                   std::span<const SampledValues> exact);
  RefinementLimit limit(SolveVector vector, double error) const;

  FarField& far_;
  fmm::Options options_;
  int samples_;
  CombinedErrors combined_;
  FarFieldAccuracy accuracy_;
  std::optional<SampledSums> sums_;
  FarFieldRefinement due_{};
  double seconds_ = 0.0, refinement_seconds_ = 0.0;
};

std::string_view to_string(SolveVector vector);

}  // namespace rankine::bem
