// Applies an fmm::Operator to random points and strengths and measures its error against direct
// sums in double at sampled targets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::cases {

/// Points and strengths. A seed gives the same trial on every machine.
struct TrialProblem {
  std::vector<Vec3d> sources, targets, normals;
  std::vector<double> core_radii;        ///< of vortices, all equal
  std::vector<double> charges, dipoles;  ///< rhs x sources, uniform in (-1, 1); masses in (0, 1)
  std::vector<double> vortices;          ///< for vortices instead: rhs x sources x 3, uniform in
                                         ///< (-1, 1)
  bool other_targets = false;            ///< whether targets differ from the sources

  /// `points`: a name in fmm/distributions.hpp. With `options.dipoles` the sources also have
  /// dipoles along fixed random directions. `core_radius` is that of a vortex kernel; 0: the mean
  /// spacing of as many points in the bounding cube.
  TrialProblem(const std::string& points, std::size_t count, bool other_targets, std::uint64_t seed,
               const fmm::Options& options, double core_radius = 0.0);

  fmm::Points points() const { return {sources, targets, normals, core_radii}; }
  /// Moves all points by at most 0.01 L in the smooth, divergence-free flow (sin 2 pi z/L, sin 2 pi
  /// x/L, sin 2 pi y/L), where L is the edge of their bounding cube.
  void advance();

 private:
  Vec3d centre_;
  double edge_ = 0.0;
};

/// The points of a trial in the memory of a backend, for Operator::move.
class TrialPlaces {
 public:
  TrialPlaces(bem::Backend& backend, const TrialProblem& problem);

  /// Copies the present points; the copy is complete on return.
  void upload(const TrialProblem& problem);
  fmm::Points points() const;

 private:
  bem::Backend& backend_;
  bool other_targets_;
  bem::Array sources_, targets_, normals_, core_radii_;  ///< `targets_` only if they differ
};

/// Strengths and results of a trial in the memory of a backend.
class TrialBuffers {
 public:
  TrialBuffers(bem::Backend& backend, const TrialProblem& problem, std::size_t targets,
               const fmm::Options& options);

  fmm::Strengths strengths() const {
    return {
        .charges = charges_.all(), .normal_dipoles = dipoles_.all(), .vortices = vortices_.all()};
  }
  fmm::Results results() {
    if (vortices_.size() > 0)
      return {.velocity = potential_.all(), .velocity_gradient = gradient_.all()};
    return {.potential = potential_.all(), .gradient = gradient_.all()};
  }
  /// For vortices these are velocities and velocity gradients.
  std::vector<double> potential() const { return host(potential_); }
  std::vector<double> gradient() const { return host(gradient_); }

 private:
  std::vector<double> host(const bem::Array& array) const;

  bem::Backend& backend_;
  bem::Array charges_, dipoles_, vortices_, potential_, gradient_;
};

struct TrialErrors {
  double potential = 0.0, gradient = 0.0;  ///< relative L2 over the samples; for vortices as above
  std::size_t samples = 0;
};

/// Errors of the results in `buffers` at `samples` targets, or at all if there are fewer.
TrialErrors measure_errors(const TrialProblem& problem, const TrialBuffers& buffers,
                           const fmm::Options& options, std::size_t samples, std::uint64_t seed);

}  // namespace rankine::cases
