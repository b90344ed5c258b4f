// Direct sums at some of a discretization's points, by which the sums of a far field are measured:
// those of a point and its images together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

/// An error in the 2-norm, from its squares at sampled points.
struct SampledError {
  double error = 0.0, total = 0.0;  ///< squares of the error, and of what it is relative to, summed
  double variance = 0.0;            ///< of `error`, for the points that were not sampled

  /// Absolute where the total is zero.
  double relative() const { return relative(error); }
  /// Three standard deviations more: a few large errors are easily missed.
  double likely_bound() const;

 private:
  double relative(double squares) const;
};

/// `count` of n points, the same ones every time: of every n / count that follow one another one by
/// chance, so that all parts of a surface are met and no pattern of its numbering is.
std::vector<std::size_t> sample(std::size_t n, std::size_t count);

class SampledSums {
 public:
  /// At `samples` points at most, for `rhs` right-hand sides of the sums at once. `layers` must outlive this
  /// object.
  SampledSums(LayerSet& layers, int samples, int rhs);

  int samples() const { return static_cast<int>(chosen_.size()); }

  /// Adds to `errors`, one per right-hand side, how far `found` is from the direct sums:
  /// what a far field has made at all targets of the strengths `given` at all nodes.
  void compare(const fmm::Strengths& given, const fmm::Results& found,
               std::span<SampledError> errors);

 private:
  /// Of one kind of results, `width` numbers at a target: potentials or gradients.
  void compare(std::span<const double> found, std::span<const double> exact, std::size_t width,
               std::span<SampledError> errors);
  Backend& backend_;
  const meshes::Symmetry& symmetry_;
  std::size_t points_, components_;
  std::vector<std::size_t> chosen_;
  std::unique_ptr<fmm::Operator> direct_;
};

}  // namespace rankine::bem
