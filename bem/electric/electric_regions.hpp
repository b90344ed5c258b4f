// Each medium of an electric problem as a separate potential problem: the region around all bodies,
// or the region inside a body and around the bodies in it. Normals point into it. The potential is
// that of the sources in the medium plus a perturbation, which Green's formula gives from values on
// the surface.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/electric/dielectrics.hpp"
#include "rankine/bem/fields/potential_field.hpp"

namespace rankine::bem {

/// Computes the potential in the region again, and writes it and its flux on the surface into
/// `state`. Known values are the flux on interfaces to media of lower permittivity, and the
/// potential on other interfaces and on conductors. If no potential is known, the mean over the
/// outer surface is not changed. Returns whether the solve converged. Throws Stopped.
bool find_potential_within(const ElectricProblem& problem, std::int32_t body, ElectricState& state,
                           const RegionOptions& options, Backend& backend);

/// The potential at any number of sets of points, in all media. The data of a medium are computed
/// once, for the first points in it.
class ElectricEvaluator {
 public:
  /// Problem, solution and backend must outlive the object.
  ElectricEvaluator(const ElectricProblem& problem, const ElectricSolution& solution,
                    const FieldOptions& options, Backend& backend);
  ~ElectricEvaluator();

  /// Points in conductors are marked as `inside`.
  PotentialField at(std::span<const Vec3d> points);

 private:
  struct Medium;

  const ElectricProblem& problem_;
  const ElectricSolution& solution_;
  FieldOptions options_;
  Backend& backend_;
  std::vector<std::unique_ptr<Medium>> media_;
};

}  // namespace rankine::bem
