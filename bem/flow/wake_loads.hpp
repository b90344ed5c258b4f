// Loads on wakes and pressure differences at trailing edges, which vanish in the exact solution. A
// wake that is fixed in space carries the load
//
//   F = rho int u x Gamma dl
//
// on the vortices along its lines, where u is the mean velocity of its two sides. The total force
// on body and wake equals that in the Trefftz plane (bem/lift/lift_loads.hpp). A relaxed wake
// carries no load.
#pragma once

#include <optional>
#include <vector>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/off_surface.hpp"

namespace rankine::bem {

struct WakeFlow {
  std::vector<std::size_t> panels;  ///< panels of wakes up to three extents of the body downstream
  std::vector<Vec3d> points;        ///< their midpoints
  std::vector<Vec3d> velocity;      ///< at the points, in the frame of the body, m/s; inside bodies
                                    ///< the stream
  std::optional<Vec3d> in_body;     ///< a place where a wake is inside a body; none: nowhere
};

/// The velocity half-way between the vortices of the wakes, a second-order approximation of the
/// principal value on a smooth sheet. In a sheet that has rolled up, vortices may be closer to each
/// other than their panels are long, and velocities between them do not converge. So every vortex
/// has a core with the length of its panel as radius and a rigid rotation inside.
WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend);
/// The same for given panels, without cores.
WakeFlow wake_flow(const FlowProblem& problem, const Solution& solution,
                   std::vector<std::size_t> panels, const FieldOptions& options, Backend& backend);

struct WakeLoad {
  Vec3d force;                   ///< F, N, of the modelled part
  std::optional<Vec3d> in_body;  ///< a place where a wake is inside a body; none: nowhere
};

/// Vortices along bodies are excluded: their load is that of the pressure there. The velocity at a
/// line is the mean of those at the centres of the adjacent strips; its error is first order in
/// their width at tips and second order elsewhere.
WakeLoad wake_load(const FlowProblem& problem, const Solution& solution,
                   const FieldOptions& options, Backend& backend);

/// The forces, N, of the images in a plane, such as the ground: rho int u x gamma dA with the
/// velocity u that they induce; gamma = n x v is the vortex sheet that replaces the body.
struct ImageLoad {
  Vec3d on_body;      ///< which the load in the Trefftz plane does not include
  Vec3d on_lines;     ///< the part of wake_load() up to the last points of relaxed or given lines
  Vec3d on_straight;  ///< the part behind them; all of the wake if it is straight
};
ImageLoad image_load(const FlowProblem& problem, const Solution& solution,
                     const meshes::SymmetryPlane& plane, const FieldOptions& options,
                     Backend& backend);

/// The planes whose images exert a force on the modelled part: all but a wall that halves a wing.
std::vector<meshes::SymmetryPlane> planes_beside(const meshes::Symmetry& symmetry);

/// ImageLoad::on_lines of all planes_beside(), as a bilinear form: linear in the flow that induces
/// the velocity, and linear in the flow that has the vortices.
class ImageLoadOnLines {
 public:
  /// `problem` must outlive this object.
  ImageLoadOnLines(const FlowProblem& problem, const FieldOptions& options, Backend& backend);

  /// Whether there are neither such planes nor lines.
  bool vanishes() const { return panels_.empty(); }
  /// u at the panels along lines, m/s.
  std::vector<Vec3d> velocity(const BoundaryFields& flow);
  /// rho int u x Gamma dl, N. `sheets`: strengths of the wakes.
  Vec3d force(std::span<const Vec3d> velocity, std::span<const double> sheets) const;

 private:
  const FlowProblem& problem_;
  std::vector<meshes::SymmetryPlane> planes_;
  std::vector<std::size_t> panels_;
  std::optional<OffSurfaceOperator> sums_;
};

/// The pressure on the upper side minus that on the lower side, Pa, `depth` m in front of each
/// segment of the trailing edges, or as far as the farther collocation point of its two panels.
std::vector<double> pressure_jumps(const FlowProblem& problem, const Solution& solution,
                                   double depth);

/// A Newton step towards equal pressures at the places of pressure_jumps(): the values, m^2/s, to
/// be added to the rows of the Kutta condition. A row with the value r has the flow k around its
/// edge, r = 2 k D^a/a (bem/lift/kutta_errors.hpp), which changes the difference of the pressures
/// at the depth d by -2 rho u k d^(a-1). u is the mean velocity of the two sides normal to the
/// edge. The effect of r on velocities along the edge and at other segments is neglected.
std::vector<double> pressure_step(const FlowProblem& problem, const Solution& solution,
                                  double depth);

}  // namespace rankine::bem
