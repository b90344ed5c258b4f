// One fmm::Operator on random points and strengths, with its error against direct sums in double at
// sampled targets.
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
  std::vector<double> charges, dipoles;  ///< rhs x sources, uniform in (-1, 1)

  /// `points` is a name of fmm/distributions.hpp. With `options.dipoles` the sources carry dipoles
  /// along fixed random directions as well.
  TrialProblem(const std::string& points, std::size_t count, bool other_targets, std::uint64_t seed,
               const fmm::Options& options);
};

/// Strengths and results of a trial in the memory of a backend.
class TrialBuffers {
 public:
  TrialBuffers(bem::Backend& backend, const TrialProblem& problem, std::size_t targets,
               const fmm::Options& options);

  fmm::Strengths strengths() const {
    return {.charges = {charges_.data(), charges_.size()},
            .normal_dipoles = {dipoles_.data(), dipoles_.size()}};
  }
  fmm::Results results() {
    return {.potential = {potential_.data(), potential_.size()},
            .gradient = {gradient_.data(), gradient_.size()}};
  }
  std::vector<double> potential() const { return host(potential_); }
  std::vector<double> gradient() const { return host(gradient_); }

 private:
  std::vector<double> host(const bem::Array& array) const;

  bem::Backend& backend_;
  bem::Array charges_, dipoles_, potential_, gradient_;
};

struct TrialErrors {
  double potential = 0.0, gradient = 0.0;  ///< relative L2 over the samples
  std::size_t samples = 0;
};

/// Errors of the results in `buffers` at `samples` targets (all where there are not more).
TrialErrors measure_errors(const TrialProblem& problem, const TrialBuffers& buffers,
                           const fmm::Options& options, std::size_t samples, std::uint64_t seed);

}  // namespace rankine::cases
