// What an inspection finds, for tests.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::testing {

using meshes::Element;
using meshes::Flaw;
using meshes::FlawKind;
using meshes::Inspection;
using meshes::SurfaceMesh;

/// Its flaw of this kind; one of no panels where there is none.
inline Flaw flaw_of(const Inspection& inspection, FlawKind kind) {
  for (const Flaw& flaw : inspection.flaws) {
    if (flaw.kind == kind) return flaw;
  }
  return {.kind = kind};
}

inline std::set<std::size_t> marked_panels(const Inspection& inspection, FlawKind kind) {
  std::set<std::size_t> panels;
  for (std::size_t e = 0; e < inspection.marked.size(); ++e) {
    if (inspection.marked[e] == 1 + static_cast<int>(kind)) panels.insert(e);
  }
  return panels;
}

/// The unit cube around `place`, 3 x 3 quadrilaterals a side.
inline SurfaceMesh cube(const Vec3d& place = {}) {
  return meshes::make_box(54, {1.0, 1.0, 1.0}, place);
}

inline std::size_t count_of(const SurfaceMesh& mesh, FlawKind kind) {
  return flaw_of(inspect(mesh), kind).panels.count;
}

inline std::vector<std::size_t> panels_around(const SurfaceMesh& mesh, std::int32_t node) {
  std::vector<std::size_t> panels;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element& element = mesh.elements[e];
    if (std::find(element.begin(), element.end(), node) != element.end()) panels.push_back(e);
  }
  return panels;
}

}  // namespace rankine::testing
