#include "rankine/bem/fields/boundary_fields.hpp"

#include <algorithm>
#include <array>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
SolveRecord record_of(const BoundarySolution& solved, std::size_t k) {
  SolveRecord record{.gmres = solved.gmres[k],
                     .seconds = solved.seconds,
                     .fmm = solved.far_field,
                     .preconditioner = solved.preconditioner,
                     .accuracy = solved.accuracy,
                     .near_entries = solved.near_entries,
                     .near_bytes = solved.near_bytes};
  if (k < solved.sampled_error.size()) record.fmm_sampled_error = solved.sampled_error[k];
  return record;
}

bool leaves_constant(const Region& region, const BoundaryConditions& conditions) {
  return region.domain == Domain::interior && conditions.everywhere(Known::flux) &&
         region.panels.symmetry.even();
}

QuadratureOptions quadrature_of(const Region& region, const RegionOptions& options) {
  // With 1e-6 for wings, refinement from 48 to 192 strips lowers the lift of a wing of 2 %
  // thickness by 0.9 %.
  constexpr double of_thin = 1e-6, of_wings = 1e-7;
  // With 1, errors of quadrature appear in the velocity of 10^6 panels of a sphere.
  constexpr double of_sums = 0.1;
  QuadratureOptions quadrature = options.quadrature;
  if (quadrature.tolerance > 0.0) return quadrature;
  if (region.sources != nullptr)
    quadrature.tolerance = of_wings;
  else if (!region.thin.empty())
    quadrature.tolerance = of_thin;
  else
    quadrature.least = of_sums * options.fmm.tolerance;
  return quadrature;
}

BoundaryFormulation formulate(Formulation formulation, const Region& region,
                              const BoundaryConditions& conditions) {
  if (formulation == Formulation::doublet)
    throw InputError("the formulation doublet is for walls without thickness; use green or source");
  BoundaryFormulation result = formulation == Formulation::green ? green_formulation(conditions)
                                                                 : source_formulation(conditions);
  if (leaves_constant(region, conditions)) fix_constant(result, region.panels.area);
  return result;
}

void require_compatible(const meshes::Symmetry& symmetry, const Vec3d& uniform,
                        std::string_view what, std::string_view unit) {
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
    const bool wall = plane.sign > 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      if ((axis == plane.axis) != wall || uniform[axis] == 0.0) continue;
      throw InputError(text_of(
          what, " ", uniform, " ", unit, " has the component ", "xyz"[axis], " = ", uniform[axis],
          wall ? " through the symmetry plane " : " along the plane of zero potential ",
          name(plane), "; set it to zero, or leave the plane out",
          wall ? " (or make it one of zero potential)" : " (or make it one of symmetry)"));
    }
  }
  if (!symmetry.rotation()) return;
  const Vec3d across =
      uniform - dot(uniform, symmetry.rotation()->axis) * symmetry.rotation()->axis;
  if (!(norm(across) > 1e-9 * norm(uniform))) return;
  throw InputError(
      text_of(what, " ", uniform, " ", unit,
              " is not along the axis of the images by rotation; turn it, or mesh the whole body"));
}

std::string_view to_string(Formulation formulation) {
  constexpr std::array words{"green", "source", "doublet"};
  return words[static_cast<std::size_t>(formulation)];
}

}  // namespace rankine::bem
