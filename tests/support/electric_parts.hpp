// Electrostatic problems put together from meshes of bodies.
#pragma once

#include <algorithm>
#include <vector>

#include "rankine/bem/electric/media.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::testing {

/// A closed surface with its mesh; `conductor` = -1: all of it is an interface.
struct ElectricPart {
  meshes::SurfaceMesh mesh;
  bem::ElectricBody body{};
  std::int32_t conductor = -1;
};

/// A problem with these bodies, numbered in this order, in vacuum, without a field and charges.
inline bem::ElectricProblem put_together(const std::vector<ElectricPart>& parts,
                                         const meshes::Symmetry& symmetry = {}) {
  bem::ElectricProblem problem;
  for (const ElectricPart& part : parts) {
    const auto number = static_cast<std::int32_t>(problem.bodies.size());
    problem.mesh = number == 0 ? part.mesh : joined(problem.mesh, part.mesh);
    problem.body.resize(problem.mesh.elements.size(), number);
    problem.conductor.resize(problem.mesh.elements.size(), part.conductor);
    problem.conductors = std::max(problem.conductors, part.conductor + 1);
    problem.bodies.push_back(part.body);
  }
  problem.panels = bem::make_panels(problem.mesh, problem.geometry, symmetry);
  return problem;
}

}  // namespace rankine::testing
