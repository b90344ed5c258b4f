// The sum over particles that are both sources and targets and move in a backend's memory.
//
// An operator is built at some positions of the particles and then moved with them. Its results
// depend only on these positions and on the present ones. So a run that is resumed builds it at the
// same positions and continues with the same bits.
//
// Expansions are those of 1/r, so that a cloud which is small compared with its cores or softening
// has no far field. Sums of particles are then direct, and become fast again when the operator is
// built at positions that are farther apart.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

class ParticleSum {
 public:
  /// Builds the operator at `positions`, m. `core_radii`: one per particle for vortex kernels,
  /// otherwise empty. The backend must outlive the object. Throws InputError for points and options
  /// that cannot be summed.
  ParticleSum(Backend& backend, const fmm::Options& options, std::vector<Vec3d> positions,
              const std::vector<double>& core_radii = {});

  /// Builds the operator again at `positions` (N x 3, in the backend's memory), with a new choice
  /// of method, order, leaves and so on.
  void renew(const Array& positions);
  /// Moves the operator with the particles, without a copy to the host.
  void move(const Array& positions);
  void apply(const fmm::Strengths& strengths, const fmm::Results& results);
  /// The larger of the errors of `results`, which apply() has computed from `strengths` at the
  /// present positions, at some fifty particles (fmm/sampled_error.hpp); 0 if sums are direct.
  double sampled_error(const Array& positions, const fmm::Strengths& strengths,
                       const fmm::Results& results) const;

  /// The positions at which it was built.
  const std::vector<Vec3d>& made_at() const { return made_at_; }
  const fmm::OperatorInfo& info() const { return operator_->info(); }
  /// Why the sum is direct although its options ask for expansions; otherwise empty.
  const std::string& refusal() const { return refusal_; }

 private:
  void make();

  Backend& backend_;
  fmm::Options options_;
  std::vector<Vec3d> made_at_;
  std::vector<double> core_radii_;  ///< on the host
  Array core_radii_there_;          ///< in the backend's memory
  std::unique_ptr<fmm::Operator> operator_;
  std::string refusal_;
};

/// A sum over particles at points on the host. It has the method of `options`, but is direct if
/// cores or softening are too large for expansions; `refusal` is then the reason, otherwise empty.
/// Throws InputError for points that cannot be summed.
std::unique_ptr<fmm::Operator> make_sum(Backend& backend, const fmm::Points& points,
                                        const fmm::Options& options,
                                        std::string* refusal = nullptr);

/// N x 3 numbers in any memory as N vectors.
std::span<const Vec3d> as_vectors(const Array& array);

/// Copies vectors of the host to the backend's memory, and back.
Array uploaded(Backend& backend, const std::vector<Vec3d>& vectors);
std::vector<Vec3d> downloaded_vectors(Backend& backend, const Array& array);

}  // namespace rankine::bem
