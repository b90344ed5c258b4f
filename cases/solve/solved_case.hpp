// A case between its mesh and its results: every stage of a solve adds a part.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/lift/polar.hpp"
#include "cases/lift/rotor_results.hpp"
#include "cases/solve/added_mass_files.hpp"
#include "cases/solve/electrostatics.hpp"
#include "cases/solve/judge.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/views.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::cases {

/// What the pressure does to one body.
struct BodyLoads {
  std::string name;
  double volume = 0.0;  ///< m^3
  Vec3d centre;         ///< of the moment, m
  Vec3d force, moment;  ///< N, N m
};

struct SurfaceLoads {
  Vec3d force, moment;                                 ///< N, N m; of the pressure
  std::vector<std::pair<std::string, Vec3d>> patches;  ///< forces, N; they sum to `force`
  std::vector<BodyLoads> bodies;
  Vec3d added_mass;  ///< (1/V) int phi n dA, m/s: k_i U_i if the added-mass matrix is diagonal
};

struct SolvedCase {
  Case flow_case;
  LoadedMesh loaded{};
  bem::FlowProblem problem{};
  /// In a compressible fluid, what is solved for, and its solution.
  std::optional<bem::EquivalentFlow> equivalent{};
  bem::Solution equivalent_solution{};
  FurtherModes further{};
  std::optional<SolvedMedia> media{};  ///< of conductors and dielectrics
  bem::Solution solution{};
  std::vector<AddedMassMatrix> added_mass{};  ///< of the limits of slow and fast motions, or one
  Views views{};
  bem::SurfaceFits fits{};
  SurfaceLoads loads{};
  bem::ErrorEstimate errors{};
  Judgement judgement{};
  std::optional<LiftResults> lift{};
  std::optional<Polar> polar{};
  std::optional<RotorResults> rotor{};

  const bem::FlowProblem& solved_problem() const {
    return equivalent ? equivalent->problem : problem;
  }
  const bem::Solution& solved_solution() const {
    return equivalent ? equivalent_solution : solution;
  }

  /// Whether every solve has converged.
  bool converged() const {
    return solution.converged() && (!media || media->converged()) &&
           (!polar || polar->forms.converged()) &&
           std::all_of(added_mass.begin(), added_mass.end(),
                       [](const AddedMassMatrix& each) { return each.converged; });
  }

  bool meaningless() const {
    return problem.has_pressure && solution.converged() &&
           is_meaningless(judgement, errors.figures);
  }
};

}  // namespace rankine::cases
