// The wall of a body that sheds vorticity. The slip velocity u along the wall, relative to the
// interior, is a vortex sheet gamma = n x u on the wall [S92]. If the sheet is released as
// particles at a small distance from the panels, the remaining flow has no slip. The distance
// represents the diffusion within a step [PW00].
//
// Cores extend behind the wall. The vorticity there is also a sheet, lambda, the integral of the
// vorticity along the inward normal. It contributes lambda x n to the velocity u at the wall, and
// below it the fluid is at rest. The slip of a new sheet is u without this contribution. Particles
// on the other side of a thin body count as below the wall; the vorticity of their cores above the
// wall is subtracted from lambda.
//
// A sheet that diffuses is no longer on the wall and leaves a part of the slip, most where the wall
// is curved. In a slow flow this part is nearly the same after every step. So a sum over the slips
// that the steps before have left, weighted by powers of a, is added to the slip of a sheet. Where
// a sheet removes the fraction m of the slip, what is left decays as z^k with
//
//   (z - a)(z - 1 + m) + m z = 0 ,
//
// that is for all m < 2 (1 + a)/(2 + a), and what is left in a steady flow is divided by 1 + 1/(1 -
// a). With a = 1 nothing would be left, but slips in concave corners, where sheets have little
// effect, would grow.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/vortex_body.hpp"

namespace rankine::bem {

struct SheddingOptions {
  double distance = 0.0;     ///< of new particles from the wall, m
  double core_radius = 0.0;  ///< of new particles, m
};

struct ShedVortices {
  VortexParticles particles;  ///< one for every panel
  /// Error of the sum of strengths, which was subtracted from all of them, relative to the sum of
  /// their absolute values.
  double correction = 0.0;
};

/// One particle above the collocation point of every panel, with the strength gamma dA from the
/// `slip` at that point, m/s. On a closed wall the strengths sum to zero, except for errors of the
/// panels and of cores that extend into the wall. Their difference from `total`, m^3/s, is
/// distributed by area, without the components that images cancel. Throws InputError for a distance
/// or a core that is not positive.
ShedVortices shed(const Panels& panels, std::span<const Vec3d> slip, const SheddingOptions& options,
                  const Vec3d& total = {});

/// Moves particles that are closer to the panels than `distance`, m, or inside by less than four
/// times that, to this distance above the closest point. Returns their number.
std::size_t lift(const Panels& panels, double distance, std::vector<Vec3d>& positions);

/// lambda at the collocation points, m/s: the vorticity of the particles' cores behind the wall,
/// integrated along the inward normal. For particles on the other side of the body, the vorticity
/// in front of the wall is subtracted; these are below the tangent plane of the panel, and closest
/// to a part of the wall that faces away.
std::vector<Vec3d> sheet_behind(const Panels& panels, const VortexParticles& particles,
                                fmm::Kernel core);

/// The size of the slip over the surface, m/s.
struct SlipSize {
  double rms = 0.0, mean = 0.0;
};

/// Slips are root mean squares over the surface, m/s.
struct SheddingRecord {
  double first_slip = 0.0;  ///< before the first sheet
  double slip = 0.0;        ///< before the last sheet, without what was added to it
  double correction = 0.0;  ///< the largest (ShedVortices)
  /// Impulse 1/2 sum x x gamma dA of all sheets at their origin on the wall, m^4/s.
  Vec3d impulse{};
  std::size_t lifted = 0;  ///< particles that were moved away from the wall
};

class SheddingWall {
 public:
  /// The body must outlive it.
  SheddingWall(VortexBody& body, const SheddingOptions& options)
      : body_(body), options_(options), left_(body.panels().size()) {}

  /// Moves particles away from the wall, and adds the sheet of the slip in their flow. The total
  /// vorticity, including that inside rotating bodies, remains that of the particles of the first
  /// call.
  VortexParticles shed_into(VortexParticles particles);
  /// Before a step of a flow that diffuses: the slip at its first stage, which the step before has
  /// left, becomes part of the following sheets.
  void follow_slip();

  const Panels& panels() const { return body_.panels(); }
  /// A point on the wall.
  const Vec3d& place() const { return body_.panels().centroid.front(); }
  /// The wall for redistribution. Particles come no closer than half the shedding distance;
  /// distances are measured from there. For points farther away than `reach`, m, there is no wall.
  WallSearch search(double reach) const;
  /// The box of all points closer than `reach`, m, to the panels.
  BoundingBox within(double reach) const;

  /// The slip of the last solve of the body, which must have been with these particles.
  SlipSize slip(const VortexParticles& particles);

  const SheddingRecord& record() const { return record_; }

  // For a resumed run.
  Vec3d total() const { return total_.value_or(Vec3d{}); }
  const std::vector<Vec3d>& left() const { return left_; }
  void start_from(const Vec3d& total, std::vector<Vec3d> left, const SheddingRecord& record) {
    total_ = total;
    left_ = std::move(left);
    record_ = record;
  }

 private:
  double closest() const;
  /// Along the wall, on the panels, by the last solve, m/s.
  std::vector<Vec3d> slip_on_panels(const VortexParticles& particles);

  VortexBody& body_;
  SheddingOptions options_;
  std::optional<Vec3d> total_;  ///< of the vorticity; none before the first call
  /// Weighted sum of the slips that were left, m/s, per panel, along its first edge, its normal,
  /// and across both.
  std::vector<Vec3d> left_;
  SheddingRecord record_;
};

}  // namespace rankine::bem
