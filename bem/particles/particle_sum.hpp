// The sum over moving particles, which are both sources and targets, in a backend's memory.
//
// An operator is built for some positions of the particles and then moved with them. Its results
// depend only on those positions and on the current ones. So a resumed run builds it for the same
// positions and continues with the same bits.
//
// Expansions are those of 1/r. A cloud that is small compared with its cores or softening therefore
// has no far field, and its sums are direct. They become fast again when the operator is built for
// positions that are farther apart.
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
  /// Only the first of `images` equal parts of all points are targets; the others are images of
  /// these. The backend must outlive the object. Throws InputError for points and options that
  /// cannot be summed.
  ParticleSum(Backend& backend, const fmm::Options& options, SumPoints points, int images = 1);

  // Arrays are in the backend's memory: positions N x 3, core radii as in SumPoints.

  /// Builds the operator again, with a new choice of method, order and leaf size.
  void renew(const Array& positions, const Array& core_radii = {});
  /// Moves the operator with the particles, without a copy to the host. The number of particles may
  /// change.
  void move(const Array& positions, const Array& core_radii = {});
  void apply(const fmm::Strengths& strengths, const fmm::Results& results);
  /// The largest error of `results`, computed by apply() from `strengths` at the current positions,
  /// at some fifty particles (fmm/sampled_error.hpp); 0 if sums are direct.
  double sampled_error(const Array& positions, const Array& core_radii,
                       const fmm::Strengths& strengths, const fmm::Results& results) const;

  const SumPoints& made_at() const { return made_at_; }
  const fmm::OperatorInfo& info() const { return operator_->info(); }
  /// Why the sum is direct although its options request expansions; otherwise empty.
  const std::string& refusal() const { return refusal_; }

 private:
  void make();

  Backend& backend_;
  fmm::Options options_;
  SumPoints made_at_;
  std::size_t images_;
  std::unique_ptr<fmm::Operator> operator_;
  std::string refusal_;
};

/// A sum over particles at points on the host. It uses the method of `options`, or a direct sum if
/// cores or softening are too large for expansions; `refusal` is then the reason, otherwise empty.
/// Throws InputError for points that cannot be summed.
std::unique_ptr<fmm::Operator> make_sum(Backend& backend, const fmm::Points& points,
                                        const fmm::Options& options,
                                        std::string* refusal = nullptr);

}  // namespace rankine::bem
