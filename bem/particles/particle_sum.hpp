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

/// Points at which an operator is built.
struct SumPoints {
  std::vector<Vec3d> positions{};    ///< m
  std::vector<double> core_radii{};  ///< m, one per particle for vortex kernels, otherwise empty
};

class ParticleSum {
 public:
  /// The backend must outlive the object. Throws InputError for points and options that cannot be
  /// summed.
  ParticleSum(Backend& backend, const fmm::Options& options, SumPoints points);

  // Arrays are in the backend's memory: positions N x 3, core radii as in SumPoints.

  /// Builds the operator again, with a new choice of method, order, leaves and so on.
  void renew(const Array& positions, const Array& core_radii = {});
  /// Moves the operator with the particles, without a copy to the host. Their number may change.
  void move(const Array& positions, const Array& core_radii = {});
  void apply(const fmm::Strengths& strengths, const fmm::Results& results);
  /// The larger of the errors of `results`, which apply() has computed from `strengths` at the
  /// present positions, at some fifty particles (fmm/sampled_error.hpp); 0 if sums are direct.
  double sampled_error(const Array& positions, const Array& core_radii,
                       const fmm::Strengths& strengths, const fmm::Results& results) const;

  const SumPoints& made_at() const { return made_at_; }
  const fmm::OperatorInfo& info() const { return operator_->info(); }
  /// Why the sum is direct although its options ask for expansions; otherwise empty.
  const std::string& refusal() const { return refusal_; }

 private:
  void make();

  Backend& backend_;
  fmm::Options options_;
  SumPoints made_at_;
  std::unique_ptr<fmm::Operator> operator_;
  std::string refusal_;
};

/// A sum over particles at points on the host. It has the method of `options`, but is direct if
/// cores or softening are too large for expansions; `refusal` is then the reason, otherwise empty.
/// Throws InputError for points that cannot be summed.
std::unique_ptr<fmm::Operator> make_sum(Backend& backend, const fmm::Points& points,
                                        const fmm::Options& options,
                                        std::string* refusal = nullptr);

}  // namespace rankine::bem
