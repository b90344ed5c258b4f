// Wakes and coefficients of lift of a case.
//
// Axes of a body: x aft, y to starboard, z up. Of the wind: drag along the stream, lift normal to
// it in the plane of the stream and z, side force to starboard. Moments: nose up, right wing down
// and nose to the right are positive.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/output/summary.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// What the force and the moment about a point are divided by.
struct LiftReference {
  double area, span, chord;  ///< m^2, m, m
  Vec3d centre;              ///< m
};

struct LiftResults {
  LiftReference reference;
  double lift, side, drag;                ///< coefficients of the pressure
  double roll, pitch, yaw;                ///< of its moments
  double lift_far, induced_drag;          ///< of the Trefftz plane
  double lift_error, induced_drag_error;  ///< estimated
  int edges;                              ///< connected trailing edges
  std::size_t stations;                   ///< their segments
};

/// The wakes that a case asks for; null if it asks for none. Throws InputError if the stream leaves
/// no sharp edge.
std::shared_ptr<const bem::LiftingEdges> find_wakes(const Case& flow_case,
                                                    const bem::FlowProblem& problem, Log& log);

/// `force` and `moment`: of the pressure on the modelled part, about problem.moment_centre. The
/// error of the lift is estimated by the difference between its two values, of which one comes from
/// velocities on the surface and one from the circulation, and by how rough the circulation is.
LiftResults find_lift(const Case& flow_case, const bem::FlowProblem& problem,
                      const bem::Solution& solution, const Vec3d& force, const Vec3d& moment);

/// For summary and log.
std::vector<Result> describe(const LiftResults& lift);

/// A row per segment of the trailing edges.
std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftReference& reference);

/// The panels of the wakes within two extents of the body, and the circulation on them.
meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields);

}  // namespace rankine::cases
