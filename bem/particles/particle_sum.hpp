// The sum over particles that are sources and targets alike, and move within a backend's memory.
//
// An operator is made where the particles are at some time, and moved with them from then on. What it
// computes depends on where it was made and on where the particles are, and on nothing between: a run
// that is resumed makes it at the same place and goes on with the same bits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

class ParticleSum {
 public:
  /// Made at `positions`, m. `core_radii` of vortex kernels, one per particle, else none. The backend
  /// must outlive it. Throws InputError where the operator cannot be made.
  ParticleSum(Backend& backend, const fmm::Options& options, std::vector<Vec3d> positions,
              const std::vector<double>& core_radii = {});

  /// Made anew at `positions` (N x 3, in the backend's memory): order, leaves and all else are chosen
  /// again. Where that cannot be (a cloud that is not large beside its cores any more) choices stay as they were,
  /// and so does made_at().
  void renew(const Array& positions);
  /// Follows the particles, without a copy to the host.
  void move(const Array& positions);
  void apply(const fmm::Strengths& strengths, const fmm::Results& results);
  /// The larger of the errors of `results`, which apply() has made of `strengths` where the particles are now, at some
  /// fifty particles (fmm/sampled_error.hpp); 0 where sums are direct.
  double sampled_error(const Array& positions, const fmm::Strengths& strengths,
                       const fmm::Results& results) const;

  /// Where it was made.
  const std::vector<Vec3d>& made_at() const { return made_at_; }
  const fmm::OperatorInfo& info() const { return operator_->info(); }

 private:
  void make();

  Backend& backend_;
  fmm::Options options_;
  std::vector<Vec3d> made_at_;
  std::vector<double> core_radii_;  ///< on the host
  Array core_radii_there_;          ///< in the backend's memory
  std::unique_ptr<fmm::Operator> operator_;
};

/// The sum of particles at points that are not theirs, `points` on the host: as `options` say, but direct where cores or
/// softening are too large for expansions there. Throws InputError for points that cannot be summed.
std::unique_ptr<fmm::Operator> sum_elsewhere(Backend& backend, const fmm::Points& points,
                                             const fmm::Options& options);

/// N x 3 numbers as N vectors, wherever they lie.
std::span<const Vec3d> as_vectors(const Array& array);

/// Vectors of the host in the backend's memory, and back.
Array uploaded(Backend& backend, const std::vector<Vec3d>& vectors);
std::vector<Vec3d> downloaded_vectors(Backend& backend, const Array& array);

}  // namespace rankine::bem
