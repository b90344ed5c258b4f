// Flows past one body in many streams, solved together.
//
// If walls are at rest and impermeable, and there is nothing else in the fluid, the perturbation is
// linear in the stream U: it is a combination of three potentials. The streams B_k that are solved
// for are unit vectors, orthogonal also in the inner product of their fluxes -B.n,
//
//   <A, B> = int (A.n) (B.n) dA ,   U = sum_k c_k B_k ,   |U.n|^2 = sum_k c_k^2 |B_k.n|^2 ,
//
// so there is no cancellation in the sum: if the B_k have relative residuals r_k, that of U is at
// most sum_k w_k r_k, with w_k = |c_k B_k.n| / |U.n| and sum_k w_k^2 = 1. The same holds for errors
// of the far field. If a body has planes of symmetry, the B_k are its axes; flows along these have
// its symmetries and need fewer iterations than oblique ones. In other flows every stream is solved
// for, 32 at a time in lockstep.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/green_errors.hpp"

namespace rankine::bem {

/// U = sum_k c_k B_k of every stream, c_k = `shares[stream][k]`.
struct StreamBasis {
  std::vector<Vec3d> streams;                  ///< B, at most three, m/s
  std::vector<std::array<double, 3>> shares;   ///< c
  std::vector<std::array<double, 3>> weights;  ///< w
};

/// A basis of the streams, orthogonal as above.
StreamBasis stream_basis(const Panels& panels, std::span<const Vec3d> streams);

/// Whether the flow is linear in the stream.
bool is_linear_in_stream(const FlowProblem& problem);

/// The largest number of right-hand sides that SolvedStreams solves for at a time.
std::size_t streams_together(const FlowProblem& problem, std::size_t streams);

class SolvedStreams {
 public:
  /// Solves. Every stream meets the tolerance of GMRES. Throws as solve() in bem/flow/flow.hpp.
  SolvedStreams(const FlowProblem& problem, std::span<const Vec3d> streams,
                const FlowOptions& options, Backend& backend);

  /// The solution for stream `k`. Its residuals are the bounds above; its times are those of the
  /// whole call.
  Solution at(std::size_t k) const;

  /// Residuals of Green's identity for everything that is solved for; and the residuals of stream
  /// `k` from these.
  std::vector<GreenResiduals> residuals(const GreenSample& sample) const {
    return sample.residuals(solutions_);
  }
  GreenResiduals residuals(std::size_t k, std::span<const GreenResiduals> of_solved) const;

  /// Whether all solutions are combinations of the basis.
  bool has_basis() const { return !basis_.streams.empty(); }
  /// The potentials of the basis at points off the surface.
  std::vector<PotentialField> basis_at(const FlowProblem& problem, std::span<const Vec3d> points,
                                       const FieldOptions& options, Backend& backend) const;
  /// The flow in stream `k` at the points of `of_basis`.
  Field field(std::size_t k, std::span<const PotentialField> of_basis) const;

 private:
  double density_;
  std::vector<Vec3d> streams_;
  StreamBasis basis_;                ///< without streams if every stream is solved for
  std::vector<Solution> solutions_;  ///< of the basis, or of every stream
};

}  // namespace rankine::bem
