// The data of a case in the course of a solve; every stage adds a part.
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

/// Pressure loads on one body.
struct BodyLoads {
  std::string name;
  double volume = 0.0;  ///< m^3
  Vec3d centre;         ///< reference point of the moment, m
  Vec3d force, moment;  ///< N, N m
};

struct SurfaceLoads {
  Vec3d force, moment;   ///< N, N m; from the pressure, about problem.moment_centre
  LoadsByPatch patches;  ///< whose sum they are
  std::vector<BodyLoads> bodies;
  Vec3d added_mass;  ///< (1/V) int phi n dA, m/s: k_i U_i if the added-mass matrix is diagonal
};

/// Pressure loads, if the problem has a pressure, and `added_mass` from the potential.
SurfaceLoads find_loads(const Case& flow_case, const LoadedMesh& loaded,
                        const bem::FlowProblem& problem, const bem::SurfaceFits& fits);

struct SolvedCase {
  Case flow_case;
  LoadedMesh loaded{};
  bem::FlowProblem problem{};
  /// For compressible flow: the equivalent incompressible problem, and its solution.
  std::optional<bem::EquivalentFlow> equivalent{};
  bem::Solution equivalent_solution{};
  FurtherModes further{};
  std::optional<SolvedMedia> media{};  ///< with conductors and dielectrics
  bem::Solution solution{};
  std::vector<AddedMassMatrix> added_mass{};  ///< one, or the limits of slow and of fast motions
  Views views{};
  bem::SurfaceFits fits{};
  SurfaceLoads loads{};
  bem::ErrorEstimate errors{};
  Judgement judgement{};
  bool supersonic = false;  ///< somewhere on the surface, where the linear rule is invalid
  std::optional<LiftResults> lift{};
  std::optional<Polar> polar{};
  std::optional<RotorResults> rotor{};

  const bem::FlowProblem& solved_problem() const {
    return equivalent ? equivalent->problem : problem;
  }
  const bem::Solution& solved_solution() const {
    return equivalent ? equivalent_solution : solution;
  }

  /// Whether all solves have converged.
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
