// Direct sums at sample points of a discretization, which measure the error of a far field. The
// sums of a point and its images are compared together.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

/// An error in the 2-norm, from squares of values at sample points.
struct SampledError {
  double error = 0.0, total = 0.0;  ///< sums of the squares of the error and of the exact values
  double variance = 0.0;            ///< of `error`, due to sampling

  SampledError& operator+=(const SampledError& other);
  /// Absolute if the total is zero.
  double relative() const { return relative(error); }
  /// With three standard deviations added, since a sample may miss a few large errors.
  double likely_bound() const;

 private:
  double relative(double squares) const;
};

/// The error from the squares of errors and values at single points.
class PointErrors {
 public:
  void add(double error2, double value2);
  /// Their sum, if the points are a sample of `all` points.
  SampledError sum(std::size_t all) const;

 private:
  double error_ = 0.0, total_ = 0.0, fourth_powers_ = 0.0;
  std::size_t count_ = 0;
};

/// `count` of n points, the same in every call. One random point is taken from every n / count
/// consecutive ones, so the sample covers the surface and does not depend on patterns of the
/// numbering.
std::vector<std::size_t> sample(std::size_t n, std::size_t count);

/// Number of points at which sums with this tolerance are checked. Direct sums there take a few
/// hundredths of the time of a solve. With more requested digits the solve takes longer, and fewer
/// points dominate the error.
std::size_t sample_count(double tolerance);

/// Results at the sample points for one right-hand side: of each application of F one after the
/// other, and in these of each component and image.
struct SampledValues {
  std::vector<double> potential{}, gradient{};

  /// Adds weight times `other`. Empty values are zeros.
  void add(double weight, const SampledValues& other);
};

/// Options of direct sums at a few targets, for `rhs` right-hand sides at once.
fmm::Options direct_options(std::size_t sources, std::size_t targets, int rhs);

class SampledSums {
 public:
  /// For at most `samples` points and `rhs` right-hand sides of the sums at a time. `layers` must
  /// outlive this object.
  SampledSums(LayerSet& layers, int samples, int rhs);

  int samples() const { return static_cast<int>(chosen_.size()); }

  /// Picks the results at the sample points from those of an application of F, which are at all
  /// targets, and appends them to `values`, one per right-hand side.
  void take(const fmm::Results& results, std::span<SampledValues> values);
  /// The same for direct sums of the strengths `given` at all nodes. `like`: the kinds of results
  /// to compute.
  void sum(const fmm::Strengths& given, const fmm::Results& like, std::span<SampledValues> values);
  /// The difference between `found` and `exact`.
  SampledError error(const SampledValues& found, const SampledValues& exact) const;

 private:
  /// Appends `size` / values.size() numbers of `from` to one member of each of the `values`.
  void append(const double* from, std::size_t size, std::vector<double> SampledValues::*member,
              std::span<SampledValues> values);
  /// For one kind of results with `width` numbers per target: potentials or gradients.
  SampledError error(const std::vector<double>& found, const std::vector<double>& exact,
                     std::size_t width) const;
  /// Takes the results at the sampled targets from those at all targets.
  SparseMatrix& selection(std::size_t width);
  /// Number of sampled targets: points and their images.
  std::size_t targets() const;

  Backend& backend_;
  const meshes::Symmetry& symmetry_;
  std::size_t points_, components_;
  std::vector<std::size_t> chosen_;
  std::unique_ptr<fmm::Operator> direct_;
  std::array<std::unique_ptr<SparseMatrix>, 2> selections_;  ///< of potentials, of gradients
};

}  // namespace rankine::bem
