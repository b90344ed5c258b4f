// Applies an fmm::Operator to random points and strengths and measures its error against direct
// sums in double at sampled targets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::cases {

/// Points and strengths; the same seed gives the same trial on every machine.
struct TrialProblem {
  std::vector<Vec3d> sources, targets, normals;
  std::vector<double> core_radii;        ///< of vortices, all alike
  std::vector<double> charges, dipoles;  ///< rhs x sources, uniform in (-1, 1); masses in (0, 1)
  std::vector<double> vortices;          ///< rhs x sources x 3, uniform in (-1, 1), instead
  bool other_targets = false;            ///< whether targets differ from the sources

  /// `points` is a name of fmm/distributions.hpp. With `options.dipoles` the sources carry dipoles
  /// along fixed random directions as well. `core_radius` is that of a vortex kernel; 0: the
  /// mean distance of as many points in a cube around them.
  TrialProblem(const std::string& points, std::size_t count, bool other_targets, std::uint64_t seed,
               const fmm::Options& options, double core_radius = 0.0);

  fmm::Points points() const { return {sources, targets, normals, core_radii}; }
  /// Moves all points in a smooth flow without divergence, (sin 2 pi z/L, sin 2 pi x/L, sin 2 pi
  /// y/L), L the edge of a cube around them, by at most 0.01 L.
  void advance();

 private:
  Vec3d centre_;
  double edge_ = 0.0;
};

/// Points of a trial in the memory of a backend, for Operator::move.
class TrialPlaces {
 public:
  TrialPlaces(bem::Backend& backend, const TrialProblem& problem);

  /// The present points; the copy is complete when the call returns.
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
  /// Of vortices these are velocities and their gradients.
  std::vector<double> potential() const { return host(potential_); }
  std::vector<double> gradient() const { return host(gradient_); }

 private:
  std::vector<double> host(const bem::Array& array) const;

  bem::Backend& backend_;
  bem::Array charges_, dipoles_, vortices_, potential_, gradient_;
};

struct TrialErrors {
  double potential = 0.0, gradient = 0.0;  ///< relative L2 over the samples; of vortices as above
  std::size_t samples = 0;
};

/// Errors of the results in `buffers` at `samples` targets, or at all if there are fewer.
TrialErrors measure_errors(const TrialProblem& problem, const TrialBuffers& buffers,
                           const fmm::Options& options, std::size_t samples, std::uint64_t seed);

}  // namespace rankine::cases
