// Loads on a lifting body in steady motion, as quadratic forms of the motion. The body moves with V
// + Omega x (x - c) through fluid at rest, and its wakes are fixed to it. With the unit motions
// m_k, along and about the axes, and their potentials phi_k, dphi_k/dn = m_k.n, the velocity
// relative to the body and the pressure are [KP01 sec. 13.2]
//
//   u = sum a_k u_k ,   u_k = grad phi_k - m_k ,   a = (V, Omega) ,
//   p = rho/2 (|sum a_k m_k|^2 - |u|^2) ,
//
// So six potentials, solved for together, give the loads of every motion. Each load is a^T Q a with
// a symmetric matrix Q. A body at rest in the stream U moves with V = -U relative to the fluid. A
// control surface adds a mode of any strength a_k with the normal velocity w_k of walls at rest:
// dphi_k/dn = w_k, m_k = 0. Fits at tips limit slopes and are therefore not linear, so loads differ
// from those of solve() by about a thousandth.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"

namespace rankine::bem {

/// V, m/s, and Omega, rad/s; then the strengths of control surfaces.
using MotionVector = std::vector<double>;

struct QuadraticForm {
  std::vector<std::vector<double>> entry;

  double operator()(const MotionVector& a) const;
};

struct LoadForms {
  std::vector<bool> allowed;  ///< motions that the symmetry planes allow; others are zero
  std::array<QuadraticForm, 3> force, moment;  ///< of the pressure, N, and N m about c
  /// In the Trefftz plane, with V as the stream (bem/lift/lift_loads.hpp), N.
  std::array<QuadraticForm, 3> far_force;
  QuadraticForm induced_drag;
  std::vector<GmresResult> gmres;  ///< of the allowed motions

  bool converged() const;
};

/// Loads on the modelled part of a body with wakes; c is `centre`. The stream of `problem` is not
/// used. `controls`: w of every panel at unit strength, m/s; with them the normal velocity of
/// `problem` is not used either. `equivalent`: for a compressible fluid, the flow past the scaled
/// body, with the axis along the stream of the case; null: the fluid is incompressible. Throws
/// Stopped, and InputError as solve() does and for a problem without wakes, with flow through
/// walls, or with an onset flow: such loads are not quadratic forms of the motion.
LoadForms load_forms(const FlowProblem& problem, const Vec3d& centre, const FlowOptions& options,
                     Backend& backend, const EquivalentFlow* equivalent = nullptr,
                     std::span<const std::vector<double>> controls = {});

}  // namespace rankine::bem
