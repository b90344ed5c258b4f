// Added mass of rigid bodies and of other normal motions of their surfaces.
//
//   M_ij = -rho int phi_i q_j dA ,     dphi_i/dn = q_i           [L32 sec. 121, 136]
//
// where q_i is the normal velocity of mode i at unit speed. Body b has the modes 6 b to 6 b + 5:
// along x, y, z and about axes through its centre. Further modes follow. On panels with a given
// potential, the potential is zero for every mode. All modes are solved together
// (bem/krylov/lockstep.hpp).
//
// Symmetry planes may divide bodies into halves. Across the plane normal to the axis a,
// translations along a and rotations about the other two axes are odd, the other three modes are
// even. Potentials have the parity of their modes. So modes of the same parity are solved together,
// with the corresponding sign of the plane, and added masses between modes of different parity
// vanish.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct RigidBodies {
  std::vector<std::int32_t> body;  ///< per panel
  std::vector<Vec3d> centre;       ///< of the rotations of every body, m
  /// Axes of the symmetry planes that divide the bodies into halves. Matrix and scales are those of
  /// the whole bodies; the signs of these planes in the problem are not used.
  std::vector<int> halved{};
};

struct AddedMass {
  int modes = 0;
  /// modes x modes, symmetric: the mean of the computed matrix and its transpose. Unit: kg, kg m
  /// and kg m^2 for rigid modes; kg for normal displacements in metres.
  std::vector<double> matrix;
  /// Largest |M_ij - M_ji| / sqrt(M_i M_j) of the computed matrix. M_i is the largest mass of the
  /// body in translation, times area / (4 pi) if i is a rotation; for other modes it is M_ii.
  double asymmetry = 0.0;
  std::vector<double> potential;   ///< modes x panels, m^2/s at unit speed
  std::vector<GmresResult> gmres;  ///< of every mode
  SolveTimes seconds{};
  FarFieldAccuracy accuracy{};

  double operator()(int i, int j) const {
    return matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(modes) +
                  static_cast<std::size_t>(j)];
  }
  bool converged() const;
};

/// Largest number of modes that are solved together; more modes are solved in groups.
inline constexpr int modes_together = 32;

/// Volume fluxes of unit motion, int q_i dA per panel: six modes for every body, modes x panels,
/// m^3/s.
std::vector<double> rigid_volumes(const Panels& panels, const RigidBodies& bodies);

/// The matrix of the rigid modes and of further modes: `displacements`, modes x panels, are their
/// normal velocities (into the fluid) at unit speed. Streams, normal velocities and potentials of
/// `problem` are not used. Throws Stopped, and InputError for sizes that do not match, a mode with
/// a net flux into a closed domain, a centre that is not on a plane that halves its body, and
/// displacements together with such a plane.
AddedMass added_mass(const FlowProblem& problem, const RigidBodies& bodies,
                     std::span<const double> displacements, const FlowOptions& options,
                     Backend& backend);

}  // namespace rankine::bem
