// Whether a far field keeps its tolerance on the vectors of a solve, and what is done where it does
// not.
//
// The order of the expansions follows from the tolerance as random charges need it. The densities
// of a solve are smooth, its layers cancel, and what truncation loses can be more of the little
// that is left. So sums that a solve has made anyway are compared with direct ones at some of the
// points. Where their relative L2 error e exceeds the tolerance asked, the sums are built anew with
// the tolerance
//
//   t' = t (asked / e) / 2
//
// in place of t, at most three times. 1.1 times what was asked counts as kept. Where few of the
// points make up the error, others like them were missed: e is the sampled error with three standard
// deviations added to its square.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/far_field.hpp"
#include "rankine/bem/layers/sampled_sums.hpp"

namespace rankine::bem {

/// The vectors of a solve whose sums are measured.
enum class SolveVector { known_values, krylov_vector, solution, potential };
inline constexpr std::size_t solve_vector_count = 4;

/// What keeps a far field from being made more accurate.
enum class RaiseLimit {
  none,
  order_given,    ///< fmm::Options::order
  precision,      ///< fmm::least_tolerance(), or sums that are direct already
  no_gain,        ///< two raises did not lessen the error
  raised_enough,  ///< three times
  memory          ///< what is more accurate does not fit
};

/// Sums built anew, since their error was too large.
struct FarFieldRaise {
  SolveVector vector;  ///< whose error
  double error = 0.0;  ///< relative L2, of the worst right-hand side
  int order_before = 0, order = 0;
  double tolerance = 0.0;  ///< with which they were built
};

/// What was found of a far field in a solve.
struct FarFieldAccuracy {
  double asked = 0.0;      ///< relative L2 error that sums may have
  double tolerance = 0.0;  ///< with which they were built in the end
  int samples = 0;         ///< points at which they were measured
  /// By SolveVector: errors of the sums as they were in the end, of the worst right-hand side; zero
  /// where they were not measured.
  std::array<double, solve_vector_count> errors{};
  std::vector<FarFieldRaise> raises;
  RaiseLimit limit = RaiseLimit::none;  ///< what ended the raises where the tolerance is not kept

  SolveVector worst() const;
  double error(SolveVector vector) const { return errors[static_cast<std::size_t>(vector)]; }
  /// Whether all errors are below 1.1 times what was asked.
  bool kept() const;
};

/// The options by which sums at `points` that will be checked against `asked` at `samples` of them are best built at
/// first. Orders keep a tolerance for random strengths; sums of dipoles along normals, that vary smoothly, err by a
/// fraction of it, gradients at a surface by more, both the more the more points there are.
fmm::Options first_options(const fmm::Options& asked, int samples, std::size_t points);

class FarFieldCheck {
 public:
  /// Of a far field built with first_options(), at `samples` points at most; 0:
  /// nothing is measured. `far` must outlive this object.
  FarFieldCheck(FarField& far, const fmm::Options& options, int samples);

  /// y += alpha times the sums of `op` for x (BoundaryOperator::add_far), made with raises where
  /// they need them. Returns the errors that are left, one per right-hand side.
  std::vector<SampledError> add_far(BoundaryOperator& op, SolveVector vector, double alpha,
                                    const double* x, double* y, int rhs);

  /// The same without raises: raise_is_due() is to be told the errors.
  std::vector<SampledError> measured_add_far(BoundaryOperator& op, double alpha, const double* x,
                                             double* y, int rhs);
  /// Those errors alone, by a product that nobody else asks for.
  std::vector<SampledError> errors_of(BoundaryOperator& op, const double* x, int rhs);

  /// Notes the errors of `vector`; whether raise() can and should follow.
  bool raise_is_due(SolveVector vector, const std::vector<SampledError>& errors);
  /// Builds the sums anew as the errors told last ask for.
  void raise();

  /// From here on nothing is measured, and the sums stay as they are.
  void finish() { samples_ = 0; }

  const FarFieldAccuracy& accuracy() const { return accuracy_; }
  /// Seconds of direct sums and comparisons, and of building sums anew.
  double seconds() const { return seconds_; }
  double raise_seconds() const { return raise_seconds_; }

 private:
  bool measures(const BoundaryOperator& op) const { return samples_ > 0 && op.has_sums(); }
  RaiseLimit limit(SolveVector vector, double error) const;
  void rebuild(double tolerance);

  FarField& far_;
  fmm::Options options_;
  int samples_;
  FarFieldAccuracy accuracy_;
  std::optional<SampledSums> exact_;
  FarFieldRaise due_{};
  double seconds_ = 0.0, raise_seconds_ = 0.0;
};

std::string_view to_string(SolveVector vector);
std::string_view to_string(RaiseLimit limit);

}  // namespace rankine::bem
