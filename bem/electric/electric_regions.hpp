// Media of an electric problem one by one, each as a potential problem: the region around all
// bodies, or the region within a body and around the bodies in it. Normals point into it. The
// potential is that of the sources in the medium plus a perturbation, which follows by Green's
// formula from values on the surface.
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
/// outer surface is kept. Returns whether the solve converged. Throws Stopped.
bool find_potential_within(const ElectricProblem& problem, std::int32_t body, ElectricState& state,
                           const RegionOptions& options, Backend& backend);

/// The potential at any number of sets of points, in all media. Data of a medium are computed once,
/// when the first points lie in it.
class ElectricEvaluator {
 public:
  /// Problem, solution and backend must outlive the object.
  ElectricEvaluator(const ElectricProblem& problem, const ElectricSolution& solution,
                    const FieldOptions& options, Backend& backend);
  ~ElectricEvaluator();

  /// Points within conductors are `inside`.
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
