// Coefficients of lift.
//
// Body axes: x aft, y to starboard, z up. Wind axes: drag along the stream, lift normal to it in
// the plane of the stream and z, side force to starboard. Positive moments: nose up, right wing
// down, nose to the right.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/summary.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/edge_strip.hpp"

namespace rankine::cases {

/// Reference quantities of the coefficients.
struct LiftReference {
  double area, span, chord;  ///< m^2, m, m
  Vec3d centre;              ///< m
};

/// Forces, N, and the moment about the reference centre, N m, on the whole wing. Pressure loads
/// have no suffix; `far` marks the Trefftz plane.
struct LiftLoads {
  Vec3d force, moment;  ///< of the pressure
  Vec3d far_force{};    ///< in the Trefftz plane
  double induced_drag;
};

struct LiftCoefficients {
  double lift, side, drag;        ///< of the pressure
  double roll, pitch, yaw;        ///< of its moments
  double lift_far, induced_drag;  ///< in the Trefftz plane
};

/// The names of the coefficients in files.
inline constexpr std::array<std::pair<const char*, double LiftCoefficients::*>, 8>
    coefficient_names{{{"CL", &LiftCoefficients::lift},
                       {"CL_trefftz", &LiftCoefficients::lift_far},
                       {"CD_induced", &LiftCoefficients::induced_drag},
                       {"CD_pressure", &LiftCoefficients::drag},
                       {"CY", &LiftCoefficients::side},
                       {"Cl", &LiftCoefficients::roll},
                       {"Cm", &LiftCoefficients::pitch},
                       {"Cn", &LiftCoefficients::yaw}}};

struct LiftResults : LiftCoefficients {
  LiftReference reference;
  double lift_error, induced_drag_error;  ///< estimated
  double span_error;                      ///< relative error of sums over strips, estimated
  double edge_error;                      ///< error of CL due to errors at trailing edges
  double rough_drag;  ///< CD_induced of the deviations of the circulation from strip to strip
  double
      wake_load;  ///< coefficient of the lift on the wakes, without that of images above or below
  std::optional<Vec3d> wake_in_body;  ///< a point of a wake inside a body
  /// The largest difference of Cp between the sides at 0.01 chord in front of the edges, without
  /// the outer 5 % of the span.
  double kutta_pressure = 0.0;
  std::optional<double> viscous_drag{};      ///< from lift.polars
  std::vector<double> section_drag{};        ///< c_d of the segments; empty: no polars
  std::size_t outside_polars = 0;            ///< segments with a c_l beyond them
  int edges;                                 ///< number of connected trailing edges
  std::size_t stations;                      ///< number of their segments
  std::optional<meshes::EdgeStrip> strip{};  ///< with lift.edge_strip
};

/// Conversion to and from the form in files.
Json to_json(const LiftReference& reference);
LiftReference reference_from(const Json& json);

LiftReference reference_of(const Case& flow_case, const bem::FlowProblem& problem);

/// Mean deviation of the circulation from linear interpolation between its neighbours along the
/// edge, relative to the mean circulation; an estimate of its error. Zero without circulation. With
/// `to_tips` ends in the fluid have a neighbour of opposite circulation, so that it is zero at the
/// end.
double roughness(const bem::LiftingEdges& lift, std::span<const double> m, bool to_tips = false);

/// 2 if a symmetry plane normal to y halves the wing, else 1.
double parts_of(const bem::FlowProblem& problem);
/// Force, or moment about a point on that plane, of the whole wing, from that of the modelled part.
Vec3d of_whole(const bem::FlowProblem& problem, Vec3d force, bool is_moment);

LiftCoefficients coefficients(const LiftReference& reference, const Vec3d& stream, double density,
                              const LiftLoads& loads);

/// `force` and `moment` of the pressure on the modelled part, about problem.moment_centre. The
/// error of the lift is estimated by the larger of two: the difference between its two values, of
/// which one comes from velocities on the surface and one from the circulation; and the error of
/// the circulation, which both have: that of the condition at the edge
/// (bem/lift/kutta_errors.hpp), found from the same velocities, and that of sums over strips. The
/// load on wakes, which is a part of the difference, and the jumps of the pressure are not included
/// (add_wake_loads()).
LiftResults find_lift(const Case& flow_case, const bem::FlowProblem& problem,
                      const bem::Solution& solution, const Vec3d& force, const Vec3d& moment);

/// Forces on wakes and forces of images above or below, N, on the modelled part.
struct WakeForces {
  Vec3d on_wake;    ///< without that of the images on the straight part
  Vec3d of_images;  ///< on the body
  Vec3d on_lines;   ///< of the images, on relaxed or given lines
  std::optional<Vec3d> in_body;
};

/// `rule`: the problem is that of the body scaled by it, and the forces are those on the body
/// itself; null: the fluid is incompressible.
WakeForces find_wake_forces(const bem::FlowProblem& problem, const bem::Solution& solution,
                            const bem::FieldOptions& options, bem::Backend& backend,
                            const bem::GoethertRule* rule = nullptr);

/// Adds the load on wakes and the pressure jumps, and subtracts the load from the error estimates.
void add_wake_loads(const bem::FlowProblem& problem, const bem::Solution& solution,
                    const WakeForces& forces, LiftResults& lift);

/// The warning about wakes inside bodies or with a large load; none if there is no such wake.
std::optional<std::string> warning_of_wakes(const LiftResults& lift);

/// The warning about strips with a lift coefficient beyond the tables of lift.polars, if any.
std::optional<std::string> warning_of_polars(const LiftResults& lift);

/// For summary and log.
std::vector<Result> describe(const LiftResults& lift);

}  // namespace rankine::cases
